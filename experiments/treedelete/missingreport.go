package treedelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// A missingRun is the cases while they are measured and written down.
type missingRun struct {
	*bench
	cases     []*missingCase
	cascading *missingCase
	triggers  *runner.Table
	leftOut   *runner.Table
	at        missingRefs
}

// missingRefs are the cells that sentences point at; with and bare are of the
// largest table.
type missingRefs struct {
	rows, blocks           runner.Ref
	with, bare             runner.Ref
	ratio                  runner.Ref
	slopeWith, slopeBare   runner.Ref
	calls, share           runner.Ref
	seen, all              runner.Ref // buffers
	cascaded, wal, written runner.Ref
}

// largest returns the two cases of the largest table.
func (m *missingRun) largest() (with, bare *missingCase) {
	return m.cases[len(m.cases)-2], m.cases[len(m.cases)-1]
}

// time times all cases and writes times, ratios and growth.
func (m *missingRun) time(ctx context.Context) error {
	m.out.Explain("The missing index: one tree is deleted by three set-based statements from tables whose attributes table has three sizes, and from equal tables in which attributes_block_id_idx was dropped. plan_cache_mode is force_generic_plan, so that no plan changes while it is timed, and compute_query_id is on in these sessions, so that the same prepared statements are explained and counted afterwards. Executions after a rollback are not the first: all of them follow such executions, the warm-up's.")
	s, err := m.timeMissing(ctx, m.cases)
	if err != nil {
		return err
	}
	m.steadiness("missing index", s)
	times := m.out.Table(missingTimesTable)
	for _, c := range m.cases {
		took, err := stat.OfBlocks(s.Of(c.name()), m.lab.Rand("missing time/"+c.name()))
		if err != nil {
			return fmt.Errorf("taking the time %s: %w", c.name(), err)
		}
		m.warnOf("missing index, "+c.name(), took.Interval)
		row := times.Add(append([]any{c.index(), c.rows, c.pages, c.tree().blocks}, turnCells(took.Median, took.Interval, len(took.Values))...)...)
		at := times.RefRange(row, "time_s", "low", "high")
		if m.at.rows, m.at.blocks = times.Ref(row, "attribute_rows"), times.Ref(row, "blocks"); c.indexed {
			m.at.with = at
		} else {
			m.at.bare = at
		}
	}
	if err := m.ratios(s); err != nil {
		return err
	}
	m.figures()
	return m.growth(s)
}

func (m *missingRun) ratios(s *runner.Samples) error {
	t := m.out.Table(missingRatiosTable)
	smallest := m.cases[1]
	itself, err := stat.RatioOfTurns(s.Of(smallest.name()+", again"), s.Of(smallest.name()), m.lab.Rand("missing/floor"))
	if err != nil {
		return fmt.Errorf("comparing a case with itself: %w", err)
	}
	if !itself.Contains(1) {
		m.out.Warn("missing index: the smallest case differs from itself, 1 lies outside of the interval (it will in 1 of 20)")
	}
	none := runner.NA{Reason: "a floor has none of its own"}
	t.Add(append(append([]any{"without over itself", smallest.rows}, turnCells(itself.Ratio, itself.Interval, itself.Blocks)...), none, none)...)
	floor := stat.FloorOf(itself.Interval)
	m.warn("missing index, a case against itself", itself.Warnings)
	for i := 0; i < len(m.cases); i += 2 {
		with, bare := m.cases[i], m.cases[i+1]
		r, err := stat.RatioOfTurns(s.Of(bare.name()), s.Of(with.name()), m.lab.Rand("missing/"+bare.name()))
		if err != nil {
			return fmt.Errorf("comparing %s: %w", bare.name(), err)
		}
		m.warn(fmt.Sprintf("missing index, %d attributes", bare.rows), r.Warnings)
		row := t.Add(append(append([]any{"without over with", bare.rows}, turnCells(r.Ratio, r.Interval, r.Blocks)...), floor, stat.ToldApart(r.Interval, r.Ratio, floor))...)
		m.at.ratio = t.RefRatio(row, "ratio", "low", "high", "floor")
	}
	return nil
}

// growth fits the time of all sizes to a power of the table's rows.
func (m *missingRun) growth(s *runner.Samples) error {
	t := m.out.Table(missingGrowthTable)
	for _, indexed := range []bool{true, false} {
		var x, y []float64
		label := ""
		for _, c := range m.cases {
			if c.indexed != indexed {
				continue
			}
			label = c.index()
			for _, took := range stat.Medians(s.Of(c.name())) {
				x, y = append(x, float64(c.rows)), append(y, took)
			}
		}
		slope, err := stat.LogLogSlope(x, y)
		if err != nil {
			return fmt.Errorf("taking the growth %s: %w", label, err)
		}
		row := t.Add(label, slope.Value, slope.Low, slope.High, slope.N, slope.LowX, slope.HighX)
		if at := t.RefRange(row, "slope", "low", "high"); indexed {
			m.at.slopeWith = at
		} else {
			m.at.slopeBare = at
		}
	}
	return nil
}

// conclude says what the index is for and where EXPLAIN shows it.
func (m *missingRun) conclude() {
	m.out.Conclude(runner.Say("Deleting a document of {} blocks takes {} with an index on attributes.block_id and {} without it when attributes has {}: {}. Time grows with that table to the power {} without the index and {} with it.",
		m.at.blocks, m.at.with, m.at.bare, m.at.rows, m.at.ratio, m.at.slopeBare, m.at.slopeWith))
	m.out.Conclude(runner.Say("EXPLAIN has this in one line, the trigger's: {} calls, {} of the execution. It counts {} where the statement used {}; and of a cascade to {} it counts {} of WAL where {} were written.",
		m.at.calls, m.at.share, m.at.seen, m.at.all, m.at.cascaded, m.at.wal, m.at.written))
	m.out.NotShown("A foreign key without an index whose table does not fit into shared buffers: here every scan of the trigger finds its pages there.")
	m.out.NotShown("Full-page images of a cascade right after a checkpoint: they come on top of the WAL that is told for it.")
}
