package testrun

import (
	"context"
	"errors"
	"testing"

	"deletecost/runner"
)

// The error of an experiment comes with what it measured before.
func TestFolderOfARunThatFails(t *testing.T) {
	broken := errors.New("broken")
	e := &runner.Experiment{Name: "part", Title: "T", Question: "Q?", Run: func(_ context.Context, _ *runner.Lab, out *runner.Result) error {
		pages := out.Table(runner.TableSpec{Name: "pages", Title: "T", Columns: []runner.Column{{Name: "moment", Text: true}, {Name: "pages", Unit: "pages"}}})
		pages.Add("before", 7)
		pages.Add("after", 3)
		pages.Add("after", 2)
		return broken
	}}
	f, err := Run(t, e, NoServer, nil)
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the experiment's own error", err)
	}
	pages, after := f.Tables("part")["pages"], map[string]string{"moment": "after"}
	if text, n := Text(t, pages, "pages", after), Number(t, pages, "pages", after); text != "3" || n != 3 {
		t.Errorf("%q and %v pages after, want 3 of the first such row", text, n)
	}
}
