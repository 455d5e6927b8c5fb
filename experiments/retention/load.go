package retention

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
)

// A table is one of the two partitioned tables with the partition that goes.
type table struct {
	schema  string    // of the parent and of the partition
	name    string    // of the parent, without its schema
	begins  time.Time // of the partition's month
	columns string    // that a load fills
	rows    func(month) io.Reader
}

// tables are both tables in a schema with the month that goes.
func tables(schema string) []table { return monthly(schema, monthBegins) }

// monthly are both tables with the month that begins then.
func monthly(schema string, begins time.Time) []table {
	return []table{
		{schema, "activities", begins, activityColumns, month.activities},
		{schema, "deliveries", begins, deliveryColumns, month.deliveries},
	}
}

// parent is the partitioned table, with its schema.
func (t table) parent() string { return t.schema + "." + t.name }

// leaf is the partition of the month, with its schema.
func (t table) leaf() string { return t.schema + "." + t.name + t.begins.Format("_p2006_01") }

// ends is when the next month begins.
func (t table) ends() time.Time { return t.begins.AddDate(0, 1, 0) }

// current is the partition that the writers fill.
func (t table) current() string { return t.schema + "." + t.name + "_current" }

// The schemas: one has every index of the source, the other the primary keys
// only, for arms that are compared by how they read the rows.
const (
	full = "public"
	bare = "bare"
)

// create makes both tables in both schemas and the empty partitions of the
// current month, which last for another one, so that no run meets their end.
func create(ctx context.Context, conn *pgx.Conn) error {
	if err := postgres.Execute(ctx, conn, statement("schema"), statement("bare_schema")); err != nil {
		return err
	}
	var begins, ends time.Time
	err := conn.QueryRow(ctx, "SELECT m, m + interval '2 months' FROM date_trunc('month', now() AT TIME ZONE 'UTC') m").Scan(&begins, &ends)
	if err != nil {
		return fmt.Errorf("asking for the current month: %w", err)
	}
	for _, t := range append(tables(full), tables(bare)...) {
		if err := postgres.Execute(ctx, conn, statement("leaf", "leaf", t.current(), "parent", t.parent())); err != nil {
			return err
		}
		if err := t.attach(ctx, conn, t.current(), begins, ends); err != nil {
			return err
		}
	}
	return nil
}

// attach makes the indexes that only partitions have, and then a partition of
// the table, which makes the others.
func (t table) attach(ctx context.Context, conn *pgx.Conn, leaf string, from, to time.Time) error {
	var own []string
	if t.schema == full && t.name == "activities" {
		own = append(own, statement("unique_activities", "leaf", leaf))
	}
	return postgres.Execute(ctx, conn, append(own, t.attachment(leaf, from, to))...)
}

func (t table) attachment(leaf string, from, to time.Time) string {
	return statement("attach", "leaf", leaf, "parent", t.parent(), "from", from.Format(time.DateOnly), "to", to.Format(time.DateOnly))
}

// attachAgain makes a detached month a partition as it was before. The check
// that DETACH CONCURRENTLY left behind spares the scan; then it goes.
func (t table) attachAgain(ctx context.Context, conn *pgx.Conn) error {
	if err := postgres.Execute(ctx, conn, t.attachment(t.leaf(), t.begins, t.ends())); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, "SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'", t.leaf())
	if err != nil {
		return fmt.Errorf("looking for checks of %q: %w", t.leaf(), err)
	}
	checks, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("looking for checks of %q: %w", t.leaf(), err)
	}
	for _, check := range checks {
		if err := postgres.Execute(ctx, conn, "ALTER TABLE "+t.leaf()+" DROP CONSTRAINT "+pgx.Identifier{check}.Sanitize()); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the partition and copies its rows into it in the same
// transaction, already frozen.
func (t table) fill(ctx context.Context, conn *pgx.Conn, m month) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("loading %q: %w", t.leaf(), err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	if err := postgres.Execute(ctx, conn, statement("leaf", "leaf", t.leaf(), "parent", t.parent())); err != nil {
		return err
	}
	copied, err := conn.PgConn().CopyFrom(ctx, t.rows(m), fmt.Sprintf("COPY %s (%s) FROM STDIN (FORMAT binary, FREEZE)", t.leaf(), t.columns))
	if err != nil {
		return fmt.Errorf("copying into %q: %w", t.leaf(), err)
	}
	if copied.RowsAffected() != int64(m.rows) {
		return fmt.Errorf("copying into %q: %d rows, want %d", t.leaf(), copied.RowsAffected(), m.rows)
	}
	return tx.Commit(ctx)
}

// finish indexes the filled partition, makes it one of its parent, vacuums and
// freezes it, as a month that is old enough to go would be.
func (t table) finish(ctx context.Context, conn *pgx.Conn) error {
	if err := t.attach(ctx, conn, t.leaf(), t.begins, t.ends()); err != nil {
		return err
	}
	return postgres.Execute(ctx, conn, "VACUUM (FREEZE, ANALYZE) "+t.leaf())
}

// load fills and finishes both tables at once, each on a connection of its
// own, and checkpoints.
func (b *bench) load(ctx context.Context, schema string, m month) error {
	both := monthly(schema, m.begins)
	errs := make(chan error, len(both))
	for _, t := range both {
		go func() {
			errs <- b.session(ctx, func(conn *pgx.Conn) error {
				if err := t.fill(ctx, conn, m); err != nil {
					return err
				}
				return t.finish(ctx, conn)
			})
		}()
	}
	var failed error
	for range both {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	if failed != nil {
		return failed
	}
	return postgres.Execute(ctx, b.conn, "CHECKPOINT")
}
