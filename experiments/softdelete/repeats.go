package softdelete

import (
	"context"
	"fmt"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// updates reads how the soft deletes were written.
func (b *bench) updates(ctx context.Context) error {
	conn, err := b.connect(ctx, asPublished)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var all, hot int64
	err = conn.QueryRow(ctx, "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = $1", soft).Scan(&all, &hot)
	if err != nil {
		return fmt.Errorf("counting updates: %w", err)
	}
	t := b.out.Table(runner.TableSpec{Name: "updates", Title: "Soft deletes as the heap saw them, arm as published",
		Note:    "A heap-only (HOT) update writes no index entry; it needs room on the row's own page.",
		Columns: []runner.Column{{Name: "updates", Unit: "rows", Meaning: "n_tup_upd"}, {Name: "hot_updates", Unit: "rows", Meaning: "n_tup_hot_upd"}}})
	b.at.updates = cells(t, t.Add(all, hot), "updates", "hot_updates")
	return nil
}

// repeats compares what both main arms measure alike: their soft tables had the
// same statements with other random values.
func (b *bench) repeats() {
	t := b.out.Table(runner.TableSpec{Name: "repeated", Title: "The soft table's sizes, measured in two arms",
		Columns: []runner.Column{{Name: "measure", Text: true}, {Name: "as_published"}, {Name: "corrected"}, {Name: "equal", Text: true}}})
	for _, measure := range []string{"heap", "total", "primary key", "index on created_at", "live rows"} {
		var values []float64
		for _, arm := range mainArms {
			n, err := b.out.Number(b.at.soft[arm][measure])
			if err != nil {
				b.out.Warn("comparing repeats: %v", err)
				return
			}
			values = append(values, n.Value)
		}
		exact, err := stat.Repeated(values)
		if err != nil {
			b.out.Warn("comparing repeats: %v", err)
			return
		}
		t.Add(measure, values[0], values[1], exact.Equal)
		if !exact.Equal {
			b.out.Warn("%s of the soft table differs between the two arms: %.0f and %.0f", measure, values[0], values[1])
		}
	}
}
