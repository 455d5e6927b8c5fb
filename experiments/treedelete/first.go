package treedelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var firstTable = runner.TableSpec{Name: "first_execution", Title: "The first execution and those after a rollback",
	Note: "A deletion that is rolled back leaves no dead rows, but its pages are no longer all-visible and carry the xmax of a transaction that did not commit. Each first execution is in a schema of its own with the same rows on the same pages, read through before, on a new session; the later ones are those of the sweep. The two did not take turns, so the interval of their ratio is made from the range of the copies and the interval of the later ones, and there is no floor.",
	Columns: []runner.Column{
		{Name: "form", Text: true}, {Name: "first_s", Unit: "s", Meaning: "median of first executions"}, {Name: "first_low_s", Unit: "s"}, {Name: "first_high_s", Unit: "s"}, {Name: "copies"},
		{Name: "later_s", Unit: "s", Meaning: "median of later executions"}, {Name: "first_over_later", Unit: "x"}, {Name: "low", Unit: "x"}, {Name: "high", Unit: "x"}}}

// first times the first execution of both forms, each on copies of its own.
func (b *bench) first(ctx context.Context) error {
	step := b.lab.Step("first executions, on fresh copies", 2*b.lab.Knob("first_copies"))
	defer step.Done()
	f := forest{schema: scatteredForest, blocks: append(b.sizes(), beginningBlocks), others: b.lab.Knob("other_documents"), layout: scattered}
	forms := []struct{ way, later, label string }{{loopStatic, "row", "row by row"}, {setSimple, "set", "set-based"}}
	taken := make([][]float64, len(forms))
	rng := b.lab.Rand("first executions")
	for k := range b.lab.Knob("first_copies") {
		for _, i := range rng.Perm(len(forms)) {
			took, noise, err := b.firstOf(ctx, f, wayNamed(forms[i].way), fmt.Sprintf("tree_copy_%d_%d", k, i))
			if err != nil {
				return err
			}
			taken[i] = append(taken[i], took)
			b.samples.Add("first execution", forms[i].label, k, took, noise.Noisy())
			step.Advance(1)
		}
	}
	t := b.out.Table(firstTable)
	for i, form := range forms {
		s := stat.Extremes(taken[i])
		later, err := b.out.Number(b.sweepRows.RefRange(b.sweep[3], form.later+"_s", form.later+"_low_s", form.later+"_high_s"))
		if err != nil {
			return err
		}
		over := apart(s, stat.Spread{Median: later.Value, Interval: stat.Interval{Low: later.Low, High: later.High}})
		t.Add(form.label, s.Median, s.Low, s.High, len(taken[i]), later.Value, over.Median, over.Low, over.High)
	}
	return nil
}

// firstOf makes a copy and times one deletion in it.
func (b *bench) firstOf(ctx context.Context, f forest, w way, copied string) (took float64, noise runner.Noise, err error) {
	f.schema = copied
	if err := b.plant(ctx, f); err != nil {
		return 0, noise, err
	}
	s, err := b.enter(ctx, f, "auto")
	if err != nil {
		return 0, noise, err
	}
	e, err := b.open(ctx, "first execution", w, s, f.tree(b.lab.Knob("blocks")), 0) // reads all three tables
	var result trial
	if err == nil {
		if err = b.warmSession(ctx, w, s); err == nil {
			stop := b.lab.Watch("first executions, on fresh copies")
			result, err = e.execute(ctx, 0)
			noise = stop()
		}
	}
	s.close(ctx)
	return result.took.Seconds(), noise, err
}

// warmSession executes a way on the smallest tree as often as a plan needs to
// settle, so that a first execution differs from later ones by its pages only.
func (b *bench) warmSession(ctx context.Context, w way, s *session) error {
	e, err := b.open(ctx, "warm up", w, s, s.forest.tree(beginningBlocks), 0)
	for range 6 {
		if err == nil {
			_, err = e.execute(ctx, 0)
		}
	}
	return err
}
