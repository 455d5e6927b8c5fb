package runner

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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
