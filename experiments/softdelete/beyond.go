package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"deletecost/runner"
)

// beyond measures what the source did not: sizes first, two at a time, since
// nothing of them is timed.
func (b *bench) beyond(ctx context.Context) error {
	step := b.lab.Step("beyond the source: sizes", 0)
	defer step.Done()
	parts := []func(context.Context) error{b.heldOpen(), b.removalOrder(), b.indexShapes(), b.heapMap(), b.uniqueKey()}
	together, ctx := errgroup.WithContext(ctx)
	together.SetLimit(2)
	for _, part := range parts {
		together.Go(func() error { return part(ctx) })
	}
	if err := together.Wait(); err != nil {
		return err
	}
	b.beyondFigures()
	return nil
}

// newDatabase creates a database with the tables of the source and opens a
// session that removes rows in the order of the named statement file.
func (b *bench) newDatabase(ctx context.Context, name, order string) (*pgx.Conn, error) {
	if err := b.createDatabases(ctx, []arm{{database: name}}); err != nil {
		return nil, err
	}
	conn, err := b.connect(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, file := range []string{"schema", order} {
		if _, err := conn.Exec(ctx, statement(file, "")); err != nil {
			conn.Close(ctx)
			return nil, fmt.Errorf("preparing database %q: %w", name, err)
		}
	}
	return conn, nil
}

// churnAgain repeats the first cycles of the corrected arm on some tables,
// with the same rows removed.
func (b *bench) churnAgain(ctx context.Context, conn *pgx.Conn, tables []string, bloat *runner.Table) error {
	a := arm{percent: b.lab.Knob("remove_percent"), analyze: true}
	rng := b.lab.Rand("churn/" + corrected)
	for cycle := range b.lab.Knob("beyond_cycles") {
		seed := rng.Float64()
		for _, table := range tables {
			if err := b.churnTable(ctx, conn, a, table, cycle, seed, bloat); err != nil {
				return fmt.Errorf("cycle %d of %s: %w", cycle+1, table, err)
			}
		}
	}
	return nil
}

func (b *bench) beyondFigures() {
	at := func(table string) map[string]string { return map[string]string{"table_name": table} }
	b.out.Figure(runner.Figure{Name: "held_open", Title: "A transaction held open makes hard delete grow like soft delete",
		HowToRead: "The hard table with one idle transaction in the same database, beside the two tables without it, over the same cycles: VACUUM may not remove what the open snapshot could still see.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "bloat_over_time_held", X: "cycle", Y: "table_bytes", Label: "hard, a transaction held open"},
			{Mark: runner.Line, Table: "bloat_over_time_corrected", X: "cycle", Y: "table_bytes", Label: "hard", Where: at(hard)},
			{Mark: runner.Line, Table: "bloat_over_time_corrected", X: "cycle", Y: "table_bytes", Label: "soft", Where: at(soft)}}})
	b.out.Figure(runner.Figure{Name: "index_shapes", Title: "Direction and fillfactor of the index on created_at",
		HowToRead: "The same rows, the same cycles, several indexes on the one column. A rising key packs an ascending index and half-fills a descending one.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "index_shapes", X: "index", Y: "bytes", By: "table_name"}}})
	b.out.Figure(runner.Figure{Name: "drift", Title: "The planner's count of rows under VACUUM without ANALYZE",
		HowToRead: "VACUUM estimates reltuples from the pages that it visits. The true number of rows rises in a straight line.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "drift", X: "cycle", Y: "reltuples", Label: "soft, reltuples", Where: at(soft)},
			{Mark: runner.Line, Table: "drift", X: "cycle", Y: "rows", Label: "soft, rows", Where: at(soft)},
			{Mark: runner.Line, Table: "drift", X: "cycle", Y: "reltuples", Label: "hard, reltuples", Where: at(hard)},
			{Mark: runner.Line, Table: "drift", X: "cycle", Y: "rows", Label: "hard, rows", Where: at(hard)}}})
}
