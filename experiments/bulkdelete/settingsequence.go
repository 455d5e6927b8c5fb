package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// asideTable is dropped at the end of each sequence.
const asideTable = "t_aside"

// deleteSequence loads the source's table, deletes all of it and looks at it
// twice; with between a checkpoint goes before the first look, so that what the
// first look changes are clean pages that have no image in WAL since then.
func deleteSequence(ctx context.Context, conn *pgx.Conn, rows int, between bool) ([]cost, error) {
	if err := load(ctx, conn, asideTable, rows, sourcePayload); err != nil {
		return nil, err
	}
	deleted, err := measureRows(ctx, conn, "DELETE FROM "+asideTable, int64(rows))
	if err != nil {
		return nil, err
	}
	if between {
		if err := postgres.Execute(ctx, conn, "CHECKPOINT"); err != nil {
			return nil, err
		}
	}
	all := []cost{deleted}
	for range 2 {
		looked, err := measureRows(ctx, conn, "SELECT * FROM "+asideTable, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, looked)
	}
	return all, postgres.Execute(ctx, conn, "DROP TABLE "+asideTable)
}

// measureRows measures a statement that must affect or return so many rows.
func measureRows(ctx context.Context, conn *pgx.Conn, sql string, rows int64) (cost, error) {
	c, err := measure(ctx, conn, sql)
	if err == nil && c.rows != rows {
		err = fmt.Errorf("executing %q: %d rows, expected %d", sql, c.rows, rows)
	}
	return c, err
}

// compareRepeats warns when WAL, which is exact, was other the second time. The
// pages that a statement dirties are also those of catalogs, which it may find
// dirty or clean.
func (a *asides) compareRepeats(what string, first, again cost) {
	if first.walBytes != again.walBytes || first.walRecords != again.walRecords {
		a.out.Warn("%s: two times differ: %d and %d bytes of WAL in %d and %d records",
			what, first.walBytes, again.walBytes, first.walRecords, again.walRecords)
	}
}
