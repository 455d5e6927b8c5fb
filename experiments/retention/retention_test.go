package retention

import (
	"context"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// measure runs the experiment, or one part of it, and reads its folder back.
func measure(t *testing.T, version string, knobs runner.Values, part func(context.Context, *runner.Lab, *runner.Result) error) (*runner.Folder, runner.Tables, error) {
	t.Helper()
	e := Experiment()
	if part != nil {
		e.Run = part
	}
	f, err := testrun.Run(t, e, version, knobs)
	return f, f.Tables(e.Name), err
}
