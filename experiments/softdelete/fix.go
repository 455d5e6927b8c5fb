package softdelete

import (
	"context"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// fix compares the full and the partial index of the arm as published, from
// the figures of the plans and the sizes on disk.
func (b *bench) fix(ctx context.Context, conn *pgx.Conn) error {
	full, err := instrument.RelationSize(ctx, conn, soft+"_created_at_idx")
	if err != nil {
		return err
	}
	partial, err := instrument.RelationSize(ctx, conn, "soft_delete_orders_active_created_at_idx")
	if err != nil {
		return err
	}
	t := b.out.Table(runner.TableSpec{Name: "partial_index_change", Title: "The full index over the partial one, arm as published",
		Note: "The full index has grown through every cycle and the partial one is new: part of the ratio of their sizes is freshness, not the predicate.",
		Columns: []runner.Column{{Name: "measure", Text: true}, {Name: "full"}, {Name: "partial"},
			{Name: "ratio", Unit: "x", Meaning: "full over partial"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}}})
	b.at.change = map[string]runner.Ref{}
	row := t.Add("index bytes", full, partial, float64(full)/float64(partial), runner.NA{Reason: exact}, runner.NA{Reason: exact})
	b.at.change["bytes ratio"] = t.Ref(row, "ratio")
	sizes := b.out.Table(runner.TableSpec{Name: "index_sizes", Title: "The indexes of soft_delete_orders on created_at, arm as published",
		Columns: []runner.Column{{Name: "index", Text: true}, {Name: "bytes", Unit: "bytes"}}})
	b.at.change["full bytes"] = sizes.Ref(sizes.Add(soft+"_created_at_idx (full)", full), "bytes")
	b.at.change["partial bytes"] = sizes.Ref(sizes.Add("soft_delete_orders_active_created_at_idx (partial)", partial), "bytes")
	return b.compareFix(t)
}

const exact = "counts and sizes are exact and have no interval"

// compareFix sets the two plans of the fix side by side.
func (b *bench) compareFix(t *runner.Table) error {
	full := b.at.explain["explain_active_rows_soft_before_partial"]
	partial := b.at.explain["explain_active_rows_soft_partial"]
	f, err := b.out.Number(full["shared_hit_blocks"])
	if err != nil {
		return err
	}
	p, err := b.out.Number(partial["shared_hit_blocks"])
	if err != nil {
		return err
	}
	row := t.Add("shared buffers hit", f.Value, p.Value, f.Value/p.Value, runner.NA{Reason: exact}, runner.NA{Reason: exact})
	b.at.change["buffers ratio"] = t.Ref(row, "ratio")
	if f, err = b.out.Number(full["execution_time_s"]); err != nil {
		return err
	}
	if p, err = b.out.Number(partial["execution_time_s"]); err != nil {
		return err
	}
	// The range of a ratio of two ranges: nothing is assumed of the pairs.
	row = t.Add("execution time under EXPLAIN, in seconds", f.Value, p.Value, f.Value/p.Value, f.Low/p.High, f.High/p.Low)
	b.at.change["execution ratio"] = t.RefRange(row, "ratio", "ratio_low", "ratio_high")
	return nil
}
