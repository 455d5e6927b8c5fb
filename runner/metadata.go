package runner

import (
	"strconv"
	"strings"
)

// A fact is one name of run_metadata.csv with its value.
type fact struct{ key, value string }

// runFacts are what all numbers of a run have in common.
func runFacts(r Record) []fact {
	return []fact{
		{"run_at_utc", r.Started.UTC().Format("2006-01-02T15:04:05Z")},
		{"program", r.Program},
		{"command", strings.Join(r.Command, " ")},
		{"seconds", seconds(r.Seconds)},
		{"first_query_seconds", seconds(r.FirstQuery)},
		{"scale", string(r.Scale)},
		{"seed", strconv.FormatUint(r.Seed, 10)},
		{"platform", r.Machine.OS}, {"kernel", r.Machine.Kernel}, {"cpu", r.Machine.CPU},
		{"cpus", strconv.Itoa(r.Machine.CPUs)}, {"memory_bytes", strconv.FormatInt(r.Machine.Memory, 10)},
		{"file_system", r.Machine.FileSystem},
		{"postgresql_version", r.PostgreSQL.Version}, {"postgresql_package", r.PostgreSQL.Coordinates},
		{"postgresql_digest", r.PostgreSQL.Digest}, {"postgresql_pinned", strconv.FormatBool(r.PostgreSQL.Pinned)},
		{"echarts_version", r.ECharts.Version}, {"echarts_digest", r.ECharts.Digest},
	}
}

// knobFacts are the parameters of an experiment.
func knobFacts(o Outline) []fact {
	var all []fact
	for _, k := range o.knobNames() {
		all = append(all, fact{o.Experiment + "." + k, strconv.FormatInt(o.Knobs[k], 10)})
	}
	return all
}

func seconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func metadataCSV(r Record) []byte {
	all := runFacts(r)
	all = append(all, accountFacts(r)...)
	for _, o := range r.Experiments {
		for _, s := range o.Servers {
			all = append(all, fact{o.Experiment + ".server." + s.Name, s.Version})
		}
		all = append(all, knobFacts(o)...)
		all = append(all, fact{o.Experiment + ".seconds", seconds(o.Seconds)})
		for _, s := range o.Steps {
			all = append(all, fact{o.Experiment + ".step." + s.Name, seconds(s.Seconds)})
		}
	}
	rows := [][]string{{"key", "value"}}
	for _, f := range all {
		rows = append(rows, []string{f.key, f.value})
	}
	return csvBytes(rows)
}
