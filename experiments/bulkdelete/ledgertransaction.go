package bulkdelete

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/instrument"
)

// A ledgerTransaction is one of a way's, as it is executed.
type ledgerTransaction struct {
	conn    *pgx.Conn
	table   uint32  // oid of the table as it was at the start
	seconds float64 // of the statements and the commit; reading locks and sizes is not in it
	rows    int64   // that DELETE statements said they deleted
	locks   []heldLock

	worked   float64 // seconds before the commit
	files    int64   // bytes of the database's files before the commit
	position int64   // of the WAL before the commit, in bytes
}

// run executes the statements and commits. Locks are read after each.
func (t *ledgerTransaction) run(ctx context.Context, statements []string) error {
	if _, err := t.execute(ctx, "BEGIN"); err != nil {
		return err
	}
	for _, sql := range statements {
		took, err := t.execute(ctx, sql)
		if err != nil {
			return err
		}
		modes, err := locksOn(ctx, t.conn, t.table)
		if err != nil {
			return err
		}
		t.hold(modes, sql, took)
	}
	if err := t.weigh(ctx); err != nil {
		return err
	}
	_, err := t.execute(ctx, "COMMIT")
	return err
}

// weigh reads how far it has come before the commit.
func (t *ledgerTransaction) weigh(ctx context.Context) (err error) {
	t.worked = t.seconds
	if t.files, err = databaseSize(ctx, t.conn); err == nil {
		t.position, err = instrument.WALPosition(ctx, t.conn)
	}
	return err
}

// execute times one statement.
func (t *ledgerTransaction) execute(ctx context.Context, sql string) (float64, error) {
	start := time.Now()
	results, err := t.conn.PgConn().Exec(ctx, sql).ReadAll()
	took := time.Since(start).Seconds()
	if err != nil {
		return took, fmt.Errorf("executing %q: %w", sql, err)
	}
	for _, r := range results {
		if r.CommandTag.Delete() {
			t.rows += r.CommandTag.RowsAffected()
		}
	}
	t.spend(took)
	return took, nil
}

// spend adds the seconds of a statement to those of the transaction and of each
// lock that was held already.
func (t *ledgerTransaction) spend(took float64) {
	t.seconds += took
	for i := range t.locks {
		t.locks[i].seconds += took
	}
}

// hold enters the locks that the last statement took.
func (t *ledgerTransaction) hold(modes []int, sql string, took float64) {
	for _, mode := range modes {
		if !slices.ContainsFunc(t.locks, func(h heldLock) bool { return h.mode == mode }) {
			words := strings.Fields(sql)
			t.locks = append(t.locks, heldLock{mode: mode, taken: strings.Join(words[:min(3, len(words))], " "), seconds: took, times: 1})
		}
	}
}

// databaseSize is the size of the session's database; it takes no lock on a
// table.
func databaseSize(ctx context.Context, conn *pgx.Conn) (int64, error) {
	var n int64
	if err := conn.QueryRow(ctx, "SELECT pg_database_size(current_database())", pgx.QueryExecModeSimpleProtocol).Scan(&n); err != nil {
		return 0, fmt.Errorf("reading the size of the database: %w", err)
	}
	return n, nil
}
