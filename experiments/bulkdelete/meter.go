package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/instrument"
)

// A cost is what one statement took and did. WAL, pages and buffers are those
// that pg_stat_statements counts for it, triggers and TOAST included.
type cost struct {
	seconds    float64
	rows       int64 // rows, as pg_stat_statements has them
	walRecords int64
	walImages  int64 // full-page images
	walBytes   int64 // bytes
	difference int64 // bytes between the insert positions before and after
	from       int64 // the insert position before, in bytes
	hit, read  int64 // shared buffers
	dirtied    int64 // pages
	written    int64 // pages that the statement itself had to write out
}

// costSQL reads the one statement since the reset that is not the meter's own.
const costSQL = `
SELECT coalesce(sum(rows), 0)::bigint, coalesce(sum(wal_records), 0)::bigint, coalesce(sum(wal_fpi), 0)::bigint, coalesce(sum(wal_bytes), 0)::bigint,
       coalesce(sum(shared_blks_hit), 0)::bigint, coalesce(sum(shared_blks_read), 0)::bigint,
       coalesce(sum(shared_blks_dirtied), 0)::bigint, coalesce(sum(shared_blks_written), 0)::bigint, count(*)
FROM pg_stat_statements
WHERE query !~* 'pg_stat_statements|pg_current_wal_insert_lsn|pg_wal_lsn_diff|pg_locks|pg_database_size'`

// measure executes one statement by the simple protocol and returns what it
// cost. Nothing else may run on the server meanwhile.
func measure(ctx context.Context, conn *pgx.Conn, sql string) (cost, error) {
	return metered(ctx, conn, sql, func(ctx context.Context) (float64, error) {
		start := time.Now()
		_, err := conn.PgConn().Exec(ctx, sql).ReadAll()
		return time.Since(start).Seconds(), err
	})
}

// metered does something in a session, which says how many seconds it took, and
// returns what its statements cost together; what names it in errors.
func metered(ctx context.Context, conn *pgx.Conn, what string, do func(context.Context) (float64, error)) (cost, error) {
	var c cost
	if _, err := conn.Exec(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return c, fmt.Errorf("resetting the counters: %w", err)
	}
	var err error
	if c.from, err = instrument.WALPosition(ctx, conn); err != nil {
		return c, err
	}
	if c.seconds, err = do(context.WithoutCancel(ctx)); err != nil {
		return c, fmt.Errorf("executing %q: %w", what, err)
	}
	to, err := instrument.WALPosition(ctx, conn)
	if err != nil {
		return c, err
	}
	c.difference = to - c.from
	var counted int
	err = conn.QueryRow(ctx, costSQL, pgx.QueryExecModeSimpleProtocol).Scan(&c.rows, &c.walRecords, &c.walImages, &c.walBytes, &c.hit, &c.read, &c.dirtied, &c.written, &counted)
	if err == nil && counted == 0 {
		err = errors.New("pg_stat_statements has not seen it")
	}
	if err != nil {
		return c, fmt.Errorf("reading what %q cost: %w", what, err)
	}
	return c, nil
}
