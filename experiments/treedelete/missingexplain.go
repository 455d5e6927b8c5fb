package treedelete

import (
	"context"
	"fmt"
	"slices"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// explain counts the DELETE of blocks of every case, and keeps the plans of the
// largest.
func (m *missingRun) explain(ctx context.Context) error {
	step := m.lab.Step("missing index: what EXPLAIN leaves out", len(m.cases))
	defer step.Done()
	m.triggers, m.leftOut = m.out.Table(missingTriggerTable), m.out.Table(missingLeftOutTable)
	for _, c := range m.cases {
		if err := m.explainCase(ctx, c); err != nil {
			return fmt.Errorf("explaining %s: %w", c.name(), err)
		}
		step.Advance(1)
	}
	return nil
}

func (m *missingRun) explainCase(ctx context.Context, c *missingCase) error {
	counts, err := c.session.countBlocks(ctx, c.tree().document, "set_attributes")
	if err != nil {
		return err
	}
	trigger, left, err := m.add(c.name(), c.rows, 0, counts)
	if err != nil {
		return err
	}
	if with, bare := m.largest(); c == bare {
		m.at.calls, m.at.share = m.triggers.Ref(trigger, "calls"), m.triggers.Ref(trigger, "trigger_percent")
		m.at.seen, m.at.all = m.leftOut.Ref(left, "explain_buffers"), m.leftOut.Ref(left, "all_buffers")
	} else if c != with {
		return nil
	}
	name := "missing_index_plan_with"
	if !c.indexed {
		name = "missing_index_plan_without"
	}
	explained := counts.explained[countedTwice-1]
	m.out.Plan(runner.Plan{Name: name, Title: "DELETE of the tree's blocks, prepared and with the generic plan that was timed, " + c.name(), SQL: statement("set_blocks"), Text: explained.Text})
	return nil
}

// add writes what was counted of one statement.
func (m *missingRun) add(name string, rows int, cascaded int64, c counted) (trigger, left int, err error) {
	t, err := c.trigger()
	if err != nil {
		return 0, 0, err
	}
	if told := c.differences(); told != "" {
		m.out.Warn("%s: what should be exact differs between repeats: %s", name, told)
	}
	e := c.explained[len(c.explained)-1]
	spent := t.Time / 1e3
	trigger = m.triggers.Add(name, rows, c.rows, t.Constraint, t.Calls, spent, e.Execution-spent, e.Execution, 100*spent/e.Execution)
	buffers, wal := c.buffers[len(c.buffers)-1], c.wal[len(c.wal)-1]
	left = m.leftOut.Add(name, rows, cascaded, pagesOf(e), buffers-pagesOf(e), buffers, e.Root.WALBytes, wal-e.Root.WALBytes, wal,
		stat.Median(floats(c.lsn)), slices.Min(c.lsn), slices.Max(c.lsn))
	return trigger, left, nil
}

// newCascading is a case with a hundred attributes a block: 50,000 below 500, and a
// tenth of that where the other tables are small as well.
func newCascading(missingRows int) *missingCase {
	parents := 500
	if missingRows < 10_000 {
		parents = 50
	}
	return &missingCase{schema: "cascading", rows: 100 * parents, indexed: true, forest: forest{blocks: []int{parents}, layout: scattered, cascade: true}}
}

// cascade counts a DELETE whose trigger deletes a hundred times as many rows,
// planned like the others.
func (m *missingRun) cascade(ctx context.Context) error {
	step := m.lab.Step("missing index: a cascade", 0)
	defer step.Done()
	c := m.cascading
	s, err := m.enterMissing(ctx, c)
	if err != nil {
		return err
	}
	defer s.close(context.WithoutCancel(ctx))
	if err := s.prepare(ctx, "set_blocks"); err != nil {
		return err
	}
	counts, err := s.countBlocks(ctx, 1)
	if err != nil {
		return fmt.Errorf("explaining a cascade: %w", err)
	}
	_, left, err := m.add(fmt.Sprintf("ON DELETE CASCADE, %d attributes", c.rows), c.rows, int64(c.rows), counts)
	m.at.cascaded, m.at.wal = m.leftOut.Ref(left, "cascaded_rows"), m.leftOut.Ref(left, "explain_wal_bytes")
	m.at.written = m.leftOut.RefRange(left, "lsn_bytes", "lsn_low_bytes", "lsn_high_bytes")
	return err
}
