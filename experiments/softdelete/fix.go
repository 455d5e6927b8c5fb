package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

const (
	fullIndex    = soft + "_created_at_idx"
	partialIndex = "soft_delete_orders_active_created_at_idx"
)

// fix compares the full and the partial index of the arm as published, from
// the sizes on disk and the figures of the plans.
func (b *bench) fix(ctx context.Context, conn *pgx.Conn) error {
	if err := b.indexSizes(ctx, conn); err != nil {
		return err
	}
	t := b.out.Table(runner.TableSpec{Name: "partial_index_change", Title: "The plan on the full index over the plan on the partial one, arm as published",
		Note: "Buffers are counted. Execution times are those under EXPLAIN, as the source had them, of the plan before and the plan after the index was built: they cannot take turns, so the interval of their ratio is made from the ranges of both, and there is no floor. Latencies of the two without EXPLAIN, in turns and with a floor, are in latency_ratios.csv.",
		Columns: []runner.Column{{Name: "measure", Text: true}, {Name: "ratio", Unit: "x", Meaning: "full over partial"},
			{Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}}})
	full := b.at.explain["explain_active_rows_soft_before_partial"]
	partial := b.at.explain["explain_active_rows_soft_partial"]
	const buffers, execution = "shared_hit_blocks", "execution_time_s"
	f, p, err := b.pair(full[buffers], partial[buffers])
	if err != nil {
		return err
	}
	none := runner.NA{Reason: "buffers are exact and have no interval"}
	b.at.change["buffers ratio"] = t.Ref(t.Add("shared buffers hit", f.Value/p.Value, none, none), "ratio")
	if f, p, err = b.pair(full[execution], partial[execution]); err != nil {
		return err
	}
	untimed := runner.NA{Reason: "a time of 0, which has no ratio"}
	cells := []any{untimed, untimed, untimed}
	if ratio, i, ok := stat.IndependentRatio(stat.Figure{Value: f.Value, Low: f.Low, High: f.High}, stat.Figure{Value: p.Value, Low: p.Low, High: p.High}); ok {
		cells = []any{ratio, i.Low, i.High}
	}
	row := t.Add(append([]any{"execution time under EXPLAIN"}, cells...)...)
	b.at.change["execution ratio"] = t.RefRange(row, "ratio", "ratio_low", "ratio_high")
	return nil
}

// indexSizes rebuilds the full index after its size was read, to tell the
// predicate from the freshness of an index that was just built. No plan of this
// arm is explained after it.
func (b *bench) indexSizes(ctx context.Context, conn *pgx.Conn) error {
	sizes := map[string]int64{}
	t := b.out.Table(runner.TableSpec{Name: "index_sizes", Title: "The indexes of the soft table on created_at, arm as published",
		Columns: []runner.Column{{Name: "index", Text: true}, {Name: "bytes", Unit: "bytes"}}})
	for _, x := range []struct{ key, index, label string }{
		{"full bytes", fullIndex, "full, grown through every cycle"}, {"partial bytes", partialIndex, "partial, built anew"}, {"rebuilt bytes", fullIndex, "full, after REINDEX CONCURRENTLY"},
	} {
		if x.key == "rebuilt bytes" {
			if _, err := conn.Exec(ctx, "REINDEX INDEX CONCURRENTLY "+fullIndex); err != nil {
				return fmt.Errorf("building the full index anew: %w", err)
			}
		}
		n, err := instrument.RelationSize(ctx, conn, x.index)
		if err != nil {
			return err
		}
		sizes[x.key] = n
		b.at.change[x.key] = t.Ref(t.Add(x.label, n), "bytes")
	}
	ratios := b.out.Table(runner.TableSpec{Name: "index_size_ratios", Title: "What the smaller index is made of",
		Columns: []runner.Column{{Name: "ratio_of", Text: true}, {Name: "ratio", Unit: "x"}}})
	for _, x := range []struct{ key, label, above, below string }{
		{"bytes ratio", "full, grown, over partial", "full bytes", "partial bytes"},
		{"predicate ratio", "the predicate: full, after REINDEX, over partial", "rebuilt bytes", "partial bytes"},
		{"freshness ratio", "freshness: full, grown, over full, after REINDEX", "full bytes", "rebuilt bytes"},
	} {
		b.at.change[x.key] = ratios.Ref(ratios.Add(x.label, float64(sizes[x.above])/float64(sizes[x.below])), "ratio")
	}
	return nil
}

// pair reads two cells back.
func (b *bench) pair(above, below runner.Ref) (f, p runner.Measure, err error) {
	if f, err = b.out.Number(above); err != nil {
		return f, p, err
	}
	p, err = b.out.Number(below)
	return f, p, err
}
