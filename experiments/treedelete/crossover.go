package treedelete

import (
	"context"
	"fmt"
	"strings"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var crossoverTable = runner.TableSpec{Name: "crossover", Title: "Row by row against set-based as the tables grow",
	Note: "The same tree among more and more other documents. The first of the three set-based statements joins attributes to blocks, and its plan depends on the size of the tables (set_plan); the loop's statements look up one row each (loop_plan, of one of them asked for by itself).",
	Columns: []runner.Column{
		{Name: "other_documents"}, {Name: "attributes", Unit: "rows", Meaning: "rows of attributes"}, {Name: "blocks", Meaning: "blocks of the tree"},
		{Name: "row_s", Unit: "s", Meaning: "row by row"}, {Name: "row_low_s", Unit: "s"}, {Name: "row_high_s", Unit: "s"},
		{Name: "set_s", Unit: "s", Meaning: "set-based"}, {Name: "set_low_s", Unit: "s"}, {Name: "set_high_s", Unit: "s"},
		{Name: "ratio", Unit: "x", Meaning: "row by row over set-based"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}, {Name: "floor", Unit: "x"},
		{Name: "faster", Text: true, Meaning: "the faster form, where they can be told apart"},
		{Name: "set_plan", Text: true, Meaning: "of the first set-based statement"}, {Name: "loop_plan", Text: true, Meaning: "of the loop's DELETE on attributes, asked for by itself"}}}

// fewestOthers is the fewest other documents of the sweep.
const fewestOthers = 100

// crossover sweeps the other documents.
func (b *bench) crossover(ctx context.Context) error {
	b.crossRows = b.out.Table(crossoverTable)
	most := b.lab.Knob("most_documents")
	for _, others := range []int{most / 30, most / 3, most} {
		if others < fewestOthers {
			continue
		}
		if err := b.among(ctx, others); err != nil {
			return fmt.Errorf("among %d other documents: %w", others, err)
		}
	}
	b.crossoverFigure()
	b.concludeCrossover()
	return nil
}

// among compares both forms among so many other documents.
func (b *bench) among(ctx context.Context, others int) error {
	n := b.lab.Knob("crossover_blocks")
	f := forest{schema: fmt.Sprintf("tree_among_%d", others), blocks: []int{n}, others: others, layout: scattered}
	if err := b.plant(ctx, f); err != nil {
		return err
	}
	s, err := b.enter(ctx, f, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	return b.compareAmong(ctx, s, others)
}

func (b *bench) compareAmong(ctx context.Context, s *session, others int) error {
	t := s.forest.tree(s.forest.blocks[0])
	row, err := b.open(ctx, "row by row", wayNamed(loopStatic), s, t, 0)
	if err != nil {
		return err
	}
	set, err := b.open(ctx, "set-based", wayNamed(setSimple), s, t, 0)
	if err != nil {
		return err
	}
	double := *row
	double.name = again
	samples, err := b.compareShort(ctx, fmt.Sprintf("among %d other documents", others), []runner.Arm{row.arm(), set.arm(), double.arm()})
	if err != nil {
		return err
	}
	p, err := stat.PairedRatio(samples.Of(row.name), samples.Of(set.name), b.lab.Rand(fmt.Sprint("among/", others)))
	if err != nil {
		return err
	}
	floor, err := b.selfFloor(samples, row.name, again)
	if err != nil {
		return err
	}
	setPlan, loopPlan, err := b.bothPlans(ctx, s, t, others)
	if err != nil {
		return err
	}
	faster := "cannot be told"
	if stat.ToldApart(p.Interval, p.Ratio, floor.Distance) {
		faster = map[bool]string{true: "set-based", false: "row by row"}[p.Ratio > 1]
	}
	rowTime, setTime, err := b.bothTimes(samples, row.name, set.name)
	if err != nil {
		return err
	}
	at := b.crossRows.Add(others, others+t.blocks, t.blocks, rowTime.Median, rowTime.Low, rowTime.High, setTime.Median, setTime.Low, setTime.High,
		p.Ratio, p.Low, p.High, floor.Distance, faster, setPlan, loopPlan)
	b.crossings = append(b.crossings, at)
	return nil
}

// bothPlans keeps what the planner chooses for the join of the set-based form
// and for one statement of the loop.
func (b *bench) bothPlans(ctx context.Context, s *session, t tree, others int) (set, loop string, err error) {
	ids, err := s.ids(ctx, t)
	if err != nil {
		return "", "", err
	}
	join := statementWith(setFiles[0], t.document)
	plans, err := s.explain(ctx, join)
	if err != nil {
		return "", "", err
	}
	ones, err := s.explain(ctx, fmt.Sprintf("DELETE FROM attributes WHERE block_id = %d", ids[1][0]))
	if err != nil {
		return "", "", err
	}
	one := ones[0]
	text := strings.Join([]string{plans[0].SQL, plans[0].Text, one.SQL, one.Text}, "\n")
	b.out.Plan(runner.Plan{Name: fmt.Sprintf("explain_among_%d", others), Title: fmt.Sprintf("Both forms among %d other documents: the join, and one statement of the loop", others), SQL: plans[0].SQL, Text: text})
	return plans[0].Nodes(), one.Nodes(), nil
}
