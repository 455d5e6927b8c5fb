package retention

import (
	"context"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres/testserver"
)

// measure runs the experiment, or one part of it, and reads its folder back.
func measure(t *testing.T, version string, knobs runner.Values, part func(context.Context, *runner.Lab, *runner.Result) error) (*runner.Folder, runner.Tables, error) {
	t.Helper()
	e := Experiment()
	if part != nil {
		e.Run = part
	}
	dir := t.TempDir()
	_, ran := runner.Run(t.Context(), runner.Config{
		Experiments: []*runner.Experiment{e}, Knobs: map[string]runner.Values{e.Name: knobs},
		Host: testserver.Host(t, version), Dir: dir, Record: runner.Record{Program: "deletecost test", Scale: runner.Smoke, Seed: 1234},
		ProcessStart: time.Now(), Progress: func(runner.Event) {}, Derive: runner.Derive,
	})
	f, err := runner.Open(dir)
	if err != nil {
		t.Fatal(err, ran)
	}
	return f, f.Tables(e.Name), ran
}
