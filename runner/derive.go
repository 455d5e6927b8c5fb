package runner

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Derive writes what is made from run.json and the tables: claims.csv,
// summary.txt, summary.md, run_metadata.csv and datapackage.json. The same
// folder gives the same bytes.
func Derive(f *Folder) error {
	all, err := f.AllOutcomes()
	if err != nil {
		return err
	}
	pkg, err := dataPackage(f.Record)
	if err != nil {
		return err
	}
	write := func(name string, content []byte) error { return WriteWhole(filepath.Join(f.Dir, name), content) }
	return errors.Join(
		write("claims.csv", claimsCSV(all)),
		write("summary.txt", summaryText(f, all)),
		write("summary.md", summaryMarkdown(f, all)),
		write("run_metadata.csv", metadataCSV(f.Record)),
		write("datapackage.json", pkg),
	)
}

// AllOutcomes returns the outcomes of every experiment, in order.
func (f *Folder) AllOutcomes() ([]Outcome, error) {
	var all []Outcome
	for _, o := range f.Record.Experiments {
		outcomes, err := f.Outcomes(o)
		if err != nil {
			return nil, err
		}
		all = append(all, outcomes...)
	}
	return all, nil
}

// Values joins the measured parts of an outcome as the CSV has them.
func (o Outcome) Values() (measured, low, high string) {
	if len(o.Cells) == 0 {
		return NotAvailable, NotAvailable, NotAvailable
	}
	var values, lows, highs []string
	for _, c := range o.Cells {
		values = append(values, c.Text)
		lows = append(lows, orNA(c.Low))
		highs = append(highs, orNA(c.High))
	}
	return strings.Join(values, " / "), strings.Join(lows, " / "), strings.Join(highs, " / ")
}

func orNA(text string) string {
	if text == "" {
		return NotAvailable
	}
	return text
}

// unit is the unit of the measured value, which is a base unit where the
// source may have printed another one; of parts in different units, one a part.
func (o Outcome) unit() string {
	if len(o.Cells) == 0 {
		return o.Claim.Unit
	}
	var units []string
	for _, c := range o.Cells {
		units = append(units, c.Unit)
	}
	if len(slices.Compact(slices.Clone(units))) == 1 {
		return units[0]
	}
	return strings.Join(units, " / ")
}

func claimsCSV(all []Outcome) []byte {
	rows := [][]string{{"id", "source", "published", "published_unit", "measured", "low", "high", "unit", "verdict", "why"}}
	for _, o := range all {
		measured, low, high := o.Values()
		rows = append(rows, []string{o.Claim.ID, o.Claim.Source, o.Claim.Published, o.Claim.Unit,
			measured, low, high, o.unit(), o.Verdict.String(), o.Why})
	}
	return csvBytes(rows)
}

func csvBytes(rows [][]string) []byte {
	var b bytes.Buffer
	// A bytes.Buffer takes every write.
	_ = csv.NewWriter(&b).WriteAll(rows)
	return b.Bytes()
}

// Count counts verdicts: "28 reproduced, 2 same direction, ...".
func Count(all []Outcome) string {
	n := map[Verdict]int{}
	for _, o := range all {
		n[o.Verdict]++
	}
	var parts []string
	for _, v := range Verdicts() {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	return strings.Join(parts, ", ")
}

func metadataCSV(r Record) []byte {
	rows := [][]string{{"key", "value"},
		{"run_at_utc", r.Started.UTC().Format("2006-01-02T15:04:05Z")},
		{"program", r.Program},
		{"command", strings.Join(r.Command, " ")},
		{"seconds", strconv.FormatFloat(r.Seconds, 'f', 3, 64)},
		{"first_query_seconds", strconv.FormatFloat(r.FirstQuery, 'f', 3, 64)},
		{"scale", string(r.Scale)},
		{"seed", strconv.FormatUint(r.Seed, 10)},
		{"platform", r.Machine.OS}, {"kernel", r.Machine.Kernel}, {"cpu", r.Machine.CPU},
		{"cpus", strconv.Itoa(r.Machine.CPUs)}, {"memory_bytes", strconv.FormatInt(r.Machine.Memory, 10)},
		{"file_system", r.Machine.FileSystem},
		{"postgresql_version", r.PostgreSQL.Version}, {"postgresql_package", r.PostgreSQL.Coordinates},
		{"postgresql_digest", r.PostgreSQL.Digest}, {"postgresql_pinned", strconv.FormatBool(r.PostgreSQL.Pinned)},
		{"echarts_version", r.ECharts.Version}, {"echarts_digest", r.ECharts.Digest},
	}
	for _, o := range r.Experiments {
		for _, s := range o.Servers {
			rows = append(rows, []string{o.Experiment + ".server." + s.Name, s.Version})
		}
		for _, k := range o.knobNames() {
			rows = append(rows, []string{o.Experiment + "." + k, strconv.FormatInt(o.Knobs[k], 10)})
		}
		rows = append(rows, []string{o.Experiment + ".seconds", strconv.FormatFloat(o.Seconds, 'f', 3, 64)})
		for _, s := range o.Steps {
			rows = append(rows, []string{o.Experiment + ".step." + s.Name, strconv.FormatFloat(s.Seconds, 'f', 3, 64)})
		}
	}
	return csvBytes(rows)
}
