package treedelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// beginningBlocks is a tree whose deletion is nothing but first executions: the
// server plans each statement of a DO block anew with its values five times, and
// may choose a generic plan at the sixth.
const (
	beginningBlocks = 6
	beginningArm    = "row by row, first executions"
)

var flatTable = runner.TableSpec{Name: "flat_per_statement", Title: "The cost of one statement over a sixteenfold tree",
	Note: "The greatest time of a statement over the least among the sizes compared. A DO block plans its statements anew at each call, so each has its first executions; a tree of 6 blocks has nothing else, and its time is split off: (time - time of 6 blocks) / (statements - 13). The sizes of the sweep did not take turns with each other, so the interval of their ratio is made from those of both; it is the largest ratio of all pairs, so that it is above 1 whatever the sizes do, and has no floor: the interval says how far noise alone reaches. Static and scattered is the sweep; the other variants compare the smallest and the largest tree in repeats, with their range.",
	Columns: []runner.Column{
		{Name: "variant", Text: true}, {Name: "first_executions", Text: true}, {Name: "sizes", Meaning: "trees compared"},
		{Name: "least_s", Unit: "s", Meaning: "cheapest statement"}, {Name: "greatest_s", Unit: "s", Meaning: "dearest statement"},
		{Name: "max_over_min", Unit: "x"}, {Name: "low", Unit: "x"}, {Name: "high", Unit: "x"}, {Name: "method", Text: true, Meaning: "of the interval"}}}

// A sizeCost is the time of a tree, in seconds.
type sizeCost struct {
	tree tree
	stat.Spread
}

// perStatement is the cost of a statement after what the first executions took,
// with 0 for all statements alike.
func (c sizeCost) perStatement(beginning stat.Spread) stat.Spread {
	n := float64(c.tree.rows())
	if beginning.Median > 0 {
		n -= float64(tree{blocks: beginningBlocks}.rows())
	}
	return c.Less(beginning).Times(1 / n)
}

// flatInSweep compares the sizes of the sweep by the statement. They did not all
// take turns together, so the interval is made from those of both.
func (b *bench) flatInSweep(costs []sizeCost, beginning stat.Spread) {
	b.flatRows = b.out.Table(flatTable)
	for _, first := range []struct {
		word string
		off  stat.Spread
	}{{"split off", beginning}, {"included", stat.Spread{}}} {
		least, greatest := costs[0].perStatement(first.off), costs[0].perStatement(first.off)
		for _, c := range costs {
			cost := c.perStatement(first.off)
			if cost.Median < least.Median {
				least = cost
			}
			if cost.Median > greatest.Median {
				greatest = cost
			}
		}
		row := b.addFlat("static, scattered", first.word, len(costs), least, greatest, apart(greatest, least))
		if first.word == "split off" {
			b.flat = append(b.flat, row)
		}
	}
}

// apart is the ratio of two times that did not take turns, without a method where
// there is no ratio.
func apart(a, b stat.Spread) stat.Spread {
	ratio, i, _ := stat.IndependentRatio(a.Figure(), b.Figure())
	return stat.Spread{Median: ratio, Interval: i}
}

// flatElsewhere compares the smallest and the largest tree in the variants that
// the sweep does not run: EXECUTE, and rows of a tree side by side.
func (b *bench) flatElsewhere(ctx context.Context) error {
	f := forest{schema: clusteredForest, blocks: append(b.sizes(), beginningBlocks), others: b.lab.Knob("other_documents"), layout: clustered}
	if err := b.plant(ctx, f); err != nil {
		return err
	}
	scatteredRows := f
	scatteredRows.schema, scatteredRows.layout = scatteredForest, scattered
	for _, v := range []struct {
		name, way string
		forest    forest
	}{
		{"static, clustered", loopStatic, f},
		{"EXECUTE, scattered", loopExecute, scatteredRows},
		{"EXECUTE, clustered", loopExecute, f},
	} {
		if err := b.flatVariant(ctx, v.name, wayNamed(v.way), v.forest); err != nil {
			return err
		}
	}
	b.flatFindings()
	return nil
}

// flatVariant times the smallest and the largest tree in turns.
func (b *bench) flatVariant(ctx context.Context, name string, w way, f forest) error {
	s, err := b.enter(ctx, f, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	var entries []*entry
	var arms []runner.Arm
	for _, n := range []int{f.blocks[0], f.blocks[4], beginningBlocks} {
		e, err := b.open(ctx, fmt.Sprintf("%s, %d blocks", name, n), w, s, f.tree(n), 0)
		if err != nil {
			return err
		}
		entries, arms = append(entries, e), append(arms, e.arm())
	}
	samples, err := b.repeat(ctx, name, arms, repeats, 1)
	if err != nil {
		return err
	}
	small, large, begin := stat.Medians(samples.Of(entries[0].name)), stat.Medians(samples.Of(entries[1].name)), stat.Medians(samples.Of(entries[2].name))
	var ratios, leasts, greatests []float64
	for i := range small {
		off := stat.Extremes(begin[i : i+1])
		a, c := sizeCost{entries[0].tree, stat.Extremes(small[i : i+1])}.perStatement(off).Median, sizeCost{entries[1].tree, stat.Extremes(large[i : i+1])}.perStatement(off).Median
		leasts, greatests, ratios = append(leasts, min(a, c)), append(greatests, max(a, c)), append(ratios, max(a, c)/min(a, c))
	}
	b.flat = append(b.flat, b.addFlat(name, "split off", 2, stat.Extremes(leasts), stat.Extremes(greatests), stat.Extremes(ratios)))
	return nil
}

// addFlat adds a row. Where a tree is so small that nothing is left of it after
// the first executions, there is no ratio.
func (b *bench) addFlat(variant, first string, sizes int, least, greatest, ratio stat.Spread) int {
	cells := []any{ratio.Median, ratio.Low, ratio.High, ratio.Method}
	if least.Low <= 0 || ratio.Method == "" {
		none := runner.NA{Reason: "nothing is left of the smallest tree after its first executions"}
		cells = []any{none, none, none, none}
	}
	return b.flatRows.Add(append([]any{variant, first, sizes, least.Median, greatest.Median}, cells...)...)
}
