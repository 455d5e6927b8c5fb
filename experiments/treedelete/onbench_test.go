package treedelete

import (
	"context"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/testrun"
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
	f, err := testrun.Run(t, e, version, knobs)
	return f.Tables(e.Name), f.Record.Experiments[0], err
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
