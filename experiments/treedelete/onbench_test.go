package treedelete

import (
	"context"
	"strconv"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// everyDelay is taken for valid or not without being measured.
func everyDelay(valid bool) map[time.Duration]checkedDelay {
	checked := map[time.Duration]checkedDelay{}
	for _, delay := range delays {
		checked[delay] = checkedDelay{valid: valid || delay == 0, at: runner.Ref{Table: "added_round_trip", Value: "added_s"}}
	}
	return checked
}

// onBench runs one part of the experiment alone on a real server and returns
// its tables, its record and its error.
func onBench(t *testing.T, version string, knobs runner.Values, valid bool, part func(context.Context, *bench) error) (runner.Tables, runner.Outline, error) {
	t.Helper()
	e := &runner.Experiment{Name: "part", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		b := newBench(lab, out)
		b.delays = everyDelay(valid)
		var err error
		if b.server, err = lab.Server(ctx, postgres.Options{Name: "part", Settings: settings}); err != nil {
			return err
		}
		row := make([]any, len(delayTable.Columns))
		for i := range row {
			row[i] = depthDelay
		}
		out.Table(delayTable).Add(row...)
		return part(ctx, b)
	}}
	dir := t.TempDir()
	_, ran := runner.Run(t.Context(), runner.Config{
		Experiments: []*runner.Experiment{e}, Host: testserver.Host(t, version), Dir: dir, Knobs: map[string]runner.Values{e.Name: knobs},
		Record: runner.Record{Program: "deletecost test", Scale: runner.Smoke, Seed: 1234}, ProcessStart: time.Now(),
		Progress: func(runner.Event) {}, Derive: runner.Derive,
	})
	f, err := runner.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f.Tables(e.Name), f.Record.Experiments[0], ran
}

// textAt reads a cell of the first row with the given words.
func textAt(t *testing.T, table *runner.Table, column string, where map[string]string) string {
	t.Helper()
	row, ok := table.Find(where)
	if !ok {
		t.Fatalf("%s has no row with %v", table.Name, where)
	}
	return table.Text(row, column)
}

// numberAt reads a cell as a number.
func numberAt(t *testing.T, table *runner.Table, column string, where map[string]string) float64 {
	t.Helper()
	text := textAt(t, table, column, where)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("%s of %v in %s is %q, want a number", column, where, table.Name, text)
	}
	return n
}

// answers returns the answer of a part with its values read.
func answers(t *testing.T, tables runner.Tables, o runner.Outline) []string {
	t.Helper()
	var told []string
	for _, s := range o.Answer {
		text, err := s.In(tables)
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, text)
	}
	return told
}
