package bulkdelete

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

var reuseTable = runner.TableSpec{Name: "published_reuse", Title: "Whether the space of deleted rows can be used again",
	Note: "After the DELETE and both SELECTs, and after a VACUUM that was told not to truncate the table. An INSERT of as many rows as fit a hundredth of the table, rolled back, shows where new rows go.",
	Columns: []runner.Column{{Name: "execution", Text: true}, {Name: "moment", Text: true}, {Name: "pages", Unit: "pages", Meaning: "of the heap"}, {Name: "pages_with_space", Unit: "pages", Meaning: "in which the free space map has room for a row"},
		{Name: "free_bytes", Unit: "bytes", Meaning: "in the free space map"}, {Name: "pages_inserted_into", Unit: "pages", Meaning: "old pages that the INSERT used"}, {Name: "pages_added", Unit: "pages", Meaning: "by the INSERT"}}}

// space is what the free space map promises and what an INSERT makes of it.
type space struct{ pages, withSpace, free, used, added int64 }

// reuse looks for free space before and after VACUUM.
func (s *sourceRun) reuse(ctx context.Context, conn *pgx.Conn, l *leftover, vacuum func() error) error {
	before, err := readSpace(ctx, conn, l.rows)
	if err == nil {
		err = vacuum()
	}
	if err != nil {
		return err
	}
	after, err := readSpace(ctx, conn, l.rows)
	if err != nil {
		return err
	}
	l.before = s.reused.Add(l.execution, "before VACUUM", before.pages, before.withSpace, before.free, before.used, before.added)
	l.after = s.reused.Add(l.execution, "after VACUUM", after.pages, after.withSpace, after.free, after.used, after.added)
	// The last page has been in the map since the load: it was never full.
	holds := before.withSpace <= 1 && before.added > 0 && after.withSpace == after.pages && after.added == 0
	indexHolds, err := s.indexedReuse(ctx, conn, l)
	l.reuseHolds = holds && indexHolds
	return err
}

// readSpace reads the map and inserts rows that are rolled back.
func readSpace(ctx context.Context, conn *pgx.Conn, rows int) (is space, err error) {
	err = conn.QueryRow(ctx, runner.Statement("bulkdelete", "published_space")).Scan(&is.pages, &is.withSpace, &is.free)
	if err != nil {
		return is, fmt.Errorf("reading the free space map: %w", err)
	}
	if err := postgres.Execute(ctx, conn, "BEGIN"); err != nil {
		return is, err
	}
	err = conn.QueryRow(ctx, runner.Statement("bulkdelete", "published_insert"), rows/100, is.pages).Scan(&is.used, &is.added)
	if err != nil {
		err = fmt.Errorf("inserting into the emptied table: %w", err)
	}
	return is, errors.Join(err, postgres.Execute(context.WithoutCancel(ctx), conn, "ROLLBACK"))
}
