package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

const vacuumKeeping = "VACUUM (TRUNCATE false) t_large"

var deferredTable = runner.TableSpec{Name: "published_deferred", Title: "What the source's DELETE left to others",
	Note: "In this order, on one table, each after a CHECKPOINT, once with the source's rows and once with fewer: a page that is dirty already is not counted again. The SELECT reads the whole table and finds no row. Records on pages of the table are those of pg_walinspect: a prune record says that rows were removed from a page, an image for a hint that only a hint bit was set. Setting a hint bit without data checksums writes no WAL.",
	Columns: []runner.Column{{Name: "execution", Text: true}, {Name: "rows", Unit: "rows", Meaning: "deleted before"}, {Name: "statement", Text: true}, {Name: "time_s", Unit: "s"}, {Name: "pages_dirtied", Unit: "pages"}, {Name: "wal_records", Unit: "records"}, {Name: "wal_bytes", Unit: "bytes"},
		{Name: "prune_records", Unit: "records", Meaning: "rows removed from a page"}, {Name: "hint_images", Unit: "records", Meaning: "images because of a hint bit"}, {Name: "buffers", Unit: "buffers", Meaning: "hit and read"}}}

// deferredCosts meters the SELECTs and VACUUM after the DELETE.
func (s *sourceRun) deferredCosts(ctx context.Context, conn *pgx.Conn, l *leftover) error {
	var selects []cost
	for _, statement := range []string{firstSelect, secondSelect} {
		stop := s.lab.Watch("deferred cost")
		c, err := s.deferredCost(ctx, conn, l, statement, "SELECT * FROM t_large")
		if stop(); err != nil {
			return err
		}
		if c.rows != 0 {
			return fmt.Errorf("%s: %d rows, expected none after the DELETE", statement, c.rows)
		}
		selects = append(selects, c)
	}
	l.selectHolds = selects[0].dirtied > 0 && selects[0].walRecords > 0 && selects[1].dirtied == 0 && selects[1].walRecords == 0
	return s.reuse(ctx, conn, l, func() error {
		defer s.lab.Watch("deferred cost")()
		_, err := s.deferredCost(ctx, conn, l, vacuumKeeping, vacuumKeeping)
		return err
	})
}

// deferredCost meters one statement and writes its row.
func (s *sourceRun) deferredCost(ctx context.Context, conn *pgx.Conn, l *leftover, name, sql string) (cost, error) {
	// A page that is dirty already would not be counted.
	if err := postgres.Execute(ctx, conn, "CHECKPOINT"); err != nil {
		return cost{}, err
	}
	c, err := measure(ctx, conn, sql)
	if err != nil {
		return c, err
	}
	// What a SELECT wrote nobody flushes at once, so a message is committed behind it.
	if err := postgres.Execute(ctx, conn, "SELECT pg_logical_emit_message(true, 'deletecost', '')"); err != nil {
		return c, err
	}
	var pruned, hinted int64
	if err := conn.QueryRow(ctx, runner.Statement("bulkdelete", "published_records"), c.from).Scan(&pruned, &hinted); err != nil {
		return c, fmt.Errorf("reading the WAL of %q: %w", name, err)
	}
	l.statements = append(l.statements, s.deferred.Add(l.execution, l.rows, name, c.seconds, c.dirtied, c.walRecords, c.walBytes, pruned, hinted, c.hit+c.read))
	return c, nil
}
