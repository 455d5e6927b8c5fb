package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

const vacuumKeeping = "VACUUM (TRUNCATE false) t_large"

var deferredTable = runner.TableSpec{Name: "published_deferred", Title: "What the source's DELETE left to others",
	Note: "In this order, on one table, each after a CHECKPOINT: a page that is dirty already is not counted again. The SELECT reads the whole table and finds no row. Records on pages of the table are those of pg_walinspect: a prune record says that rows were removed from a page, an image for a hint that only a hint bit was set. Setting a hint bit without data checksums writes no WAL.",
	Columns: []runner.Column{{Name: "statement", Text: true}, {Name: "time_s", Unit: "s"}, {Name: "pages_dirtied", Unit: "pages"}, {Name: "wal_records", Unit: "records"}, {Name: "wal_bytes", Unit: "bytes"},
		{Name: "prune_records", Unit: "records", Meaning: "rows removed from a page"}, {Name: "hint_images", Unit: "records", Meaning: "images because of a hint bit"}, {Name: "buffers", Unit: "buffers", Meaning: "hit and read"}}}

// deferredCosts meters the SELECTs and VACUUM after the DELETE.
func (s *sourceRun) deferredCosts(ctx context.Context, conn *pgx.Conn) error {
	t := s.out.Table(deferredTable)
	var selects []cost
	for _, statement := range []string{firstSelect, secondSelect} {
		stop := s.lab.Watch("deferred cost")
		c, err := deferredCost(ctx, conn, t, statement, "SELECT * FROM t_large")
		if stop(); err != nil {
			return err
		}
		if c.rows != 0 {
			return fmt.Errorf("%s: %d rows, expected none after the DELETE", statement, c.rows)
		}
		selects = append(selects, c)
	}
	s.selectFinding(t, selects[0], selects[1])
	return s.reuse(ctx, conn, func() error {
		defer s.lab.Watch("deferred cost")()
		_, err := deferredCost(ctx, conn, t, vacuumKeeping, vacuumKeeping)
		return err
	})
}

// deferredCost meters one statement and writes its row.
func deferredCost(ctx context.Context, conn *pgx.Conn, t *runner.Table, name, sql string) (cost, error) {
	// A page that is dirty already would not be counted.
	if err := execute(ctx, conn, "CHECKPOINT"); err != nil {
		return cost{}, err
	}
	c, err := measure(ctx, conn, sql)
	if err != nil {
		return c, err
	}
	// What a SELECT wrote nobody flushes at once, so a message is committed behind it.
	if err := execute(ctx, conn, "SELECT pg_logical_emit_message(true, 'deletecost', '')"); err != nil {
		return c, err
	}
	var pruned, hinted int64
	if err := conn.QueryRow(ctx, sqlFile("published_records"), c.from).Scan(&pruned, &hinted); err != nil {
		return c, fmt.Errorf("reading the WAL of %q: %w", name, err)
	}
	t.Add(name, c.seconds, c.dirtied, c.walRecords, c.walBytes, pruned, hinted, c.hit+c.read)
	return c, nil
}

// selectFinding is the claim that a SELECT pays.
func (s *sourceRun) selectFinding(t *runner.Table, first, second cost) {
	holds := first.dirtied > 0 && first.walRecords > 0 && second.dirtied == 0 && second.walRecords == 0
	row := s.checks.Add("the first SELECT after the DELETE dirties pages and writes WAL, the second does neither", holds, deferredTable.Name)
	s.out.Measured("s3.deferred_select", runner.Say("the first dirtied {} and wrote {} of WAL, the second dirtied {}. {} are prune records, by which the SELECT removed dead rows from their pages, and {} are images because of a hint bit",
		t.Ref(0, "pages_dirtied"), t.Ref(0, "wal_bytes"), t.Ref(1, "pages_dirtied"), t.Ref(0, "prune_records"), t.Ref(0, "hint_images")), s.checks.Ref(row, "holds"))
}
