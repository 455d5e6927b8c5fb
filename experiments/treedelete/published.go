package treedelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// source is what the study published of its sweep, by size as a multiple of the
// document under test: times in seconds.
var source = []struct{ row, set float64 }{{0.016, 0.010}, {0.033, 0.029}, {0.065, 0.045}, {0.123, 0.079}, {0.237, 0.141}}

// sizes are the trees of the sweep: an eighth of the document under test up to
// twice of it.
func (b *bench) sizes() []int {
	n := b.lab.Knob("blocks")
	return []int{n / 8, n / 4, n / 2, n, 2 * n}
}

// The schemas that several parts use.
const (
	scatteredForest = "tree_scattered"
	clusteredForest = "tree_clustered"
)

var sweepTable = runner.TableSpec{Name: "sweep", Title: "Row by row against set-based, at five tree sizes",
	Note: "Both forms in the server, as the source ran them: a PL/pgSQL loop of static DELETEs against three statements, each in a transaction that is rolled back. The loop is one DO block; the three statements are sent as text, so that they are planned with their values, as a client does that runs them once. The ratio is of blocks in which the forms took turns, more of them for the two trees that take less than 10 ms; the floor is the loop against itself, on the document under test and, for the two small trees, on the larger of them. The published times are another machine's.",
	Columns: []runner.Column{
		{Name: "blocks", Meaning: "blocks of the tree"}, {Name: "statements", Meaning: "deletions of the row-by-row form, counted by the server"},
		{Name: "row_s", Unit: "s", Meaning: "row by row"}, {Name: "row_low_s", Unit: "s"}, {Name: "row_high_s", Unit: "s"},
		{Name: "set_s", Unit: "s", Meaning: "set-based"}, {Name: "set_low_s", Unit: "s"}, {Name: "set_high_s", Unit: "s"},
		{Name: "ratio", Unit: "x", Meaning: "row by row over set-based"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}, {Name: "floor", Unit: "x"}, {Name: "told_from_1", Text: true}, {Name: "turns", Meaning: "blocks in which the forms took turns"},
		{Name: "per_statement_s", Unit: "s", Meaning: "row by row, a statement"}, {Name: "per_statement_low_s", Unit: "s"}, {Name: "per_statement_high_s", Unit: "s"},
		{Name: "published_row_s", Unit: "s"}, {Name: "published_set_s", Unit: "s"}, {Name: "published_ratio", Unit: "x"},
		{Name: "row_digest", Text: true, Meaning: "of the ids that the row-by-row form left"}, {Name: "set_digest", Text: true, Meaning: "of those that the set-based form left"},
		{Name: "same_survivors", Text: true, Meaning: "both digests are equal"}}}

// published repeats the source: the sweep, with the loop against itself at the
// size under test.
func (b *bench) published(ctx context.Context) error {
	f := forest{schema: scatteredForest, blocks: append(b.sizes(), beginningBlocks), others: b.lab.Knob("other_documents"), layout: scattered}
	if err := b.plant(ctx, f); err != nil {
		return err
	}
	s, err := b.enter(ctx, f, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	if err := b.sweepSizes(ctx, s); err != nil {
		return err
	}
	if err := b.explainSet(ctx, s); err != nil {
		return err
	}
	if err := b.noPlan(ctx, s); err != nil {
		return err
	}
	b.sweepFindings()
	b.planFindings()
	b.sweepFigures()
	b.concludeSweep()
	return nil
}

const again = "the loop again"

// sweepSizes times both forms at each size: the two smallest trees, which take
// less than 10 ms, in more blocks than the others; both groups have the loop
// against itself.
func (b *bench) sweepSizes(ctx context.Context, s *session) error {
	b.sweepRows = b.out.Table(sweepTable)
	cells := make([][]any, len(b.sizes()))
	var costs []sizeCost
	var beginning stat.Spread
	for _, group := range []struct {
		name  string
		sizes []int
		first int // place of the first among the sizes
		turns func(context.Context, string, []runner.Arm) (*runner.Samples, error)
	}{
		{"as published", b.sizes()[2:], 2, b.compare},
		{"as published, small trees", b.sizes()[:2], 0, b.compareShort},
	} {
		row, set, arms, err := b.sweepArms(ctx, s, group.sizes)
		if err != nil {
			return err
		}
		double := *row[len(row)/2]
		double.name = again
		if arms = append(arms, double.arm()); group.first == 0 {
			begin, err := b.open(ctx, beginningArm, wayNamed(loopStatic), s, s.forest.tree(beginningBlocks), 0)
			if err != nil {
				return err
			}
			arms = append(arms, begin.arm())
		}
		samples, err := group.turns(ctx, group.name, arms)
		if err != nil {
			return err
		}
		b.steadiness(group.name, samples)
		floor, err := b.selfFloor(samples, row[len(row)/2].name, again)
		if err != nil {
			return err
		}
		if group.first == 0 {
			beginning, err = stat.OfBlocks(samples.Of(beginningArm), b.lab.Rand("time/"+beginningArm))
			if err != nil {
				return err
			}
		}
		some, err := b.reportSweep(ctx, s, group.first, row, set, samples, floor, cells)
		if err != nil {
			return err
		}
		costs = append(some, costs...)
	}
	for i := range cells {
		b.sweep[i] = b.sweepRows.Add(cells[i]...)
	}
	b.flatInSweep(costs, beginning)
	return nil
}

// sweepArms are both forms at each size.
func (b *bench) sweepArms(ctx context.Context, s *session, sizes []int) (row, set []*entry, arms []runner.Arm, err error) {
	for _, n := range sizes {
		r, err := b.open(ctx, fmt.Sprintf("row by row, %d blocks", n), wayNamed(loopStatic), s, s.forest.tree(n), 0)
		if err != nil {
			return nil, nil, nil, err
		}
		t, err := b.open(ctx, fmt.Sprintf("set-based, %d blocks", n), wayNamed(setSimple), s, s.forest.tree(n), 0)
		if err != nil {
			return nil, nil, nil, err
		}
		row, set, arms = append(row, r), append(set, t), append(arms, r.arm(), t.arm())
	}
	return row, set, arms, nil
}

// reportSweep makes the rows of some sizes.
func (b *bench) reportSweep(ctx context.Context, s *session, first int, row, set []*entry, samples *runner.Samples, floor stat.Floor, cells [][]any) ([]sizeCost, error) {
	var costs []sizeCost
	for i := range row {
		p, err := stat.PairedRatio(samples.Of(row[i].name), samples.Of(set[i].name), b.lab.Rand("ratio/"+row[i].name))
		if err != nil {
			return nil, fmt.Errorf("comparing %q with %q: %w", row[i].name, set[i].name, err)
		}
		b.warn(row[i].name+" over "+set[i].name, p.Warnings)
		counted, err := b.count(ctx, wayNamed(loopStatic), s.forest, row[i].tree, "auto")
		if err != nil {
			return nil, err
		}
		rowTime, setTime, err := b.bothTimes(samples, row[i].name, set[i].name)
		if err != nil {
			return nil, err
		}
		told := source[first+i]
		cost := rowTime.Times(1 / float64(counted.deletions))
		costs = append(costs, sizeCost{row[i].tree, rowTime})
		cells[first+i] = []any{row[i].tree.blocks, counted.deletions, rowTime.Median, rowTime.Low, rowTime.High, setTime.Median, setTime.Low, setTime.High,
			p.Ratio, p.Low, p.High, floor.Distance, stat.ToldApart(p.Interval, p.Ratio, floor.Distance), p.Blocks,
			cost.Median, cost.Low, cost.High, told.row, told.set, told.row / told.set, row[i].digest, set[i].digest, row[i].digest == set[i].digest}
	}
	return costs, nil
}

// bothTimes are the times of two arms.
func (b *bench) bothTimes(samples *runner.Samples, row, set string) (rowTime, setTime stat.Spread, err error) {
	if rowTime, err = stat.OfBlocks(samples.Of(row), b.lab.Rand("time/"+row)); err == nil {
		setTime, err = stat.OfBlocks(samples.Of(set), b.lab.Rand("time/"+set))
	}
	b.warnOf(row, rowTime.Interval)
	b.warnOf(set, setTime.Interval)
	return rowTime, setTime, err
}

// warnOf hands the warning of an interval on.
func (b *bench) warnOf(what string, i stat.Interval) {
	if i.Warning != "" {
		b.out.Warn("%s: %s", what, i.Warning)
	}
}

// selfFloor is the noise floor of an arm and its double.
func (b *bench) selfFloor(samples *runner.Samples, arm, double string) (stat.Floor, error) {
	p, err := stat.PairedRatio(samples.Of(double), samples.Of(arm), b.lab.Rand("floor/"+arm))
	if err != nil {
		return stat.Floor{}, fmt.Errorf("comparing %q with itself: %w", arm, err)
	}
	f := stat.NoiseFloor(p)
	if f.Missed {
		b.out.Warn("%s differs from itself: 1 lies outside of the interval (it will in 1 of 20)", arm)
	}
	return f, nil
}

// warn hands warnings of a comparison on.
func (b *bench) warn(what string, warnings []string) {
	for _, w := range warnings {
		b.out.Warn("%s: %s", what, w)
	}
}

// steadiness flags arms that were still getting faster or slower.
func (b *bench) steadiness(part string, samples *runner.Samples) {
	for _, arm := range samples.Arms {
		if s, ok := stat.Steady(samples.Of(arm)); ok && !s.Steady {
			b.out.Warn("%s, %s: not steady; time of the last third of the blocks over that of the first: %.2f", part, arm, s.Drift)
		}
	}
}
