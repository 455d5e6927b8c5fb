package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// removalOrder soft-deletes the same rows in random and in heap order and asks
// the same query afterwards.
func (b *bench) removalOrder() func(context.Context) error {
	bloat := b.out.Table(runner.TableSpec{Name: "bloat_over_time_order", Raw: true, Title: "Sizes after each cycle: soft delete in random, then in heap order", Columns: bloatColumns})
	t := b.out.Table(runner.TableSpec{Name: "removal_order", Title: "The same rows soft-deleted in random and in heap order",
		Note: "An UPDATE writes the new row where there is room, one after the other: rows that are updated in heap order stay neighbours, rows that are updated in random order are scattered. Nothing else differs.",
		Columns: []runner.Column{word("order", ""), {Name: "rows_removed_by_filter", Unit: "rows"}, {Name: "shared_hit_blocks", Unit: "buffers"},
			{Name: "heap_bytes", Unit: "bytes"}, {Name: "index_bytes", Unit: "bytes", Meaning: "index on created_at"}, word("digest", "of the active rows")}})
	return func(ctx context.Context) error {
		digests := map[string]bool{}
		for _, o := range []struct{ name, database, file string }{{"random", "random_order", "order"}, {"heap", "heap_order", "order_heap"}} {
			conn, err := b.newDatabase(ctx, o.database, o.file)
			if err != nil {
				return err
			}
			defer conn.Close(ctx)
			if err := b.churnAgain(ctx, conn, []string{soft}, bloat); err != nil {
				return err
			}
			digest, err := addOrder(ctx, conn, t, o.name)
			if err != nil {
				return err
			}
			digests[digest] = true
		}
		if len(digests) != 1 {
			return fmt.Errorf("the two orders of removal left different rows: they cannot be compared")
		}
		return nil
	}
}

func addOrder(ctx context.Context, conn *pgx.Conn, t *runner.Table, order string) (string, error) {
	if _, err := conn.Exec(ctx, "SET enable_sort = off"); err != nil { // at every size by the index
		return "", err
	}
	e, err := instrument.Explain(ctx, conn, statement("active_rows", soft))
	if err != nil {
		return "", err
	}
	s, err := instrument.ReadSizes(ctx, conn, soft)
	if err != nil {
		return "", err
	}
	_, digest, err := instrument.Digest(ctx, conn, statement("survivors", soft))
	t.Add(order, e.RowsRemoved(), e.Root.SharedHit, s.Heap, s.Secondary, digest)
	return digest, err
}

// shapes are further indexes on created_at beside the source's descending one.
var shapes = []struct{ label, suffix, definition string }{
	{"descending (the source's)", "_created_at_idx", ""},
	{"descending, fillfactor 50", "_desc_50", "(created_at DESC) WITH (fillfactor = 50)"},
	{"descending, fillfactor 100", "_desc_100", "(created_at DESC) WITH (fillfactor = 100)"},
	{"ascending", "_asc", "(created_at)"},
	{"ascending, fillfactor 50", "_asc_50", "(created_at) WITH (fillfactor = 50)"},
	{"ascending, fillfactor 100", "_asc_100", "(created_at) WITH (fillfactor = 100)"},
}

// indexShapes churns both tables with all of these indexes at once.
func (b *bench) indexShapes() func(context.Context) error {
	bloat := b.out.Table(runner.TableSpec{Name: "bloat_over_time_shapes", Raw: true, Title: "Sizes after each cycle: six indexes on created_at", Columns: bloatColumns})
	t := b.out.Table(runner.TableSpec{Name: "index_shapes", Title: "Six indexes on created_at of the same table",
		Columns: []runner.Column{word("index", ""), word("table_name", ""), {Name: "bytes", Unit: "bytes"},
			{Name: "avg_leaf_density", Unit: "%", Meaning: "mean fill of leaf pages"}}})
	return func(ctx context.Context) error {
		conn, err := b.newDatabase(ctx, "index_shapes", "order")
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		for _, table := range []string{hard, soft} {
			for _, x := range shapes[1:] {
				if _, err := conn.Exec(ctx, "CREATE INDEX "+table+x.suffix+" ON "+table+" "+x.definition); err != nil {
					return fmt.Errorf("creating an index %s: %w", x.label, err)
				}
			}
		}
		if err := b.churnAgain(ctx, conn, []string{hard, soft}, bloat); err != nil {
			return err
		}
		for _, x := range shapes {
			for _, table := range []string{hard, soft} {
				h, err := instrument.ReadIndexHealth(ctx, conn, table+x.suffix)
				if err != nil {
					return err
				}
				t.Add(x.label, table, h.Bytes, h.LeafDensity)
			}
		}
		return nil
	}
}
