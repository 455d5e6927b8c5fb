package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// An identity is a table whose rows are deleted at wal_level logical.
type identity struct {
	name      string
	indexes   int    // the first is the primary key
	replica   string // REPLICA IDENTITY
	payload   string // expression of i
	toasted   bool
	published bool // only with every_setting
}

// toastedPayload is kept out of line and not compressed: 5,000 bytes are three
// chunks, since a chunk holds up to 1,996 (documentation, "TOAST").
const toastedPayload = "repeat('x', 5000)"

// The tables. NOTHING without index is the source's table.
var identities = []identity{
	{name: "no index, nothing", replica: "NOTHING", payload: sourcePayload},
	{name: "1 index, nothing", indexes: 1, replica: "NOTHING", payload: sourcePayload, published: true},
	{name: "1 index, default", indexes: 1, replica: "DEFAULT", payload: sourcePayload},
	{name: "1 index, full", indexes: 1, replica: "FULL", payload: sourcePayload},
	{name: "4 indexes, default", indexes: 4, replica: "DEFAULT", payload: sourcePayload},
	{name: "4 indexes, full", indexes: 4, replica: "FULL", payload: sourcePayload, published: true},
	{name: "1 index, default, TOAST", indexes: 1, replica: "DEFAULT", payload: toastedPayload, toasted: true},
	{name: "1 index, full, TOAST", indexes: 1, replica: "FULL", payload: toastedPayload, toasted: true, published: true},
}

var identitiesTable = runner.TableSpec{Name: "identities", Title: "WAL of a deleted row at wal_level logical, and VACUUM after it, by indexes, TOAST and REPLICA IDENTITY",
	Note: "All rows are deleted, with full_page_writes off. WAL is what pg_stat_statements counts, with that of TOAST. A table without index has no key, so that DEFAULT is NOTHING there. A toasted row is 5,000 bytes in three chunks out of line; the others are the source's. Each table was made, deleted and vacuumed twice; counts are of the first time, and where the second differs a warning says so. wal_keep_size is what it was then: the standby before it is stopped, and with it the WAL kept for it was let go after the start at which the primary's settings were read.",
	Columns: []runner.Column{
		{Name: "table", Text: true}, {Name: "indexes"}, {Name: "replica_identity", Text: true}, {Name: "toasted", Text: true}, {Name: "wal_keep_size", Text: true}, {Name: "rows", Unit: "rows", Meaning: "deleted"},
		{Name: "wal_records"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "WAL of the DELETE"}, {Name: "wal_bytes_a_row", Unit: "bytes", Meaning: "WAL of the DELETE a row"},
		{Name: "vacuum_s", Unit: "s", Meaning: "VACUUM after it, the first of two"}, {Name: "vacuum_again_s", Unit: "s", Meaning: "the second, on a fresh load"}, {Name: "vacuum_wal_bytes", Unit: "bytes", Meaning: "WAL of VACUUM"}, {Name: "vacuum_wal_bytes_a_row", Unit: "bytes", Meaning: "WAL of VACUUM a row"}}}

// identities deletes all rows of each table and vacuums it.
func (a *asides) identities(ctx context.Context) error {
	conn, err := a.on(ctx, primaryServer)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	step := a.lab.Step("indexes, TOAST and REPLICA IDENTITY", len(identities))
	defer step.Done()
	t := a.out.Table(identitiesTable)
	for _, i := range identities {
		step.Advance(1)
		if i.published && a.lab.Knob("every_setting") == 0 {
			continue
		}
		if err := a.identity(ctx, conn, i, t); err != nil {
			return fmt.Errorf("deleting with %s: %w", i.name, err)
		}
	}
	a.identityFigure()
	a.concludeIdentities(t)
	return nil
}

// identity deletes all of one table and vacuums it, and does so again to see
// whether the WAL is the same.
func (a *asides) identity(ctx context.Context, conn *pgx.Conn, i identity, t *runner.Table) error {
	rows := a.lab.Knob("identity_rows")
	defer a.lab.Watch("identities: " + i.name)()
	deleted, vacuumed, err := i.measure(ctx, conn, rows)
	if err != nil {
		return err
	}
	again, vacuumedAgain, err := i.measure(ctx, conn, rows)
	if err != nil {
		return err
	}
	a.compareRepeats("identities: DELETE, "+i.name, deleted, again)
	a.compareRepeats("identities: VACUUM, "+i.name, vacuumed, vacuumedAgain)
	kept, err := settingOf(ctx, conn, "wal_keep_size")
	if err != nil {
		return err
	}
	each := func(bytes int64) float64 { return float64(bytes) / float64(rows) }
	t.Add(i.name, i.indexes, i.replica, i.toasted, kept, rows, deleted.walRecords, deleted.walBytes, each(deleted.walBytes),
		vacuumed.seconds, vacuumedAgain.seconds, vacuumed.walBytes, each(vacuumed.walBytes))
	return nil
}

// measure deletes all of one table and vacuums it.
func (i identity) measure(ctx context.Context, conn *pgx.Conn, rows int) (deleted, vacuumed cost, err error) {
	if err = i.load(ctx, conn, rows); err != nil {
		return deleted, vacuumed, err
	}
	if deleted, err = measureRows(ctx, conn, "DELETE FROM t_identity", int64(rows)); err != nil {
		return deleted, vacuumed, err
	}
	if vacuumed, err = measure(ctx, conn, "VACUUM t_identity"); err != nil {
		return deleted, vacuumed, err
	}
	return deleted, vacuumed, postgres.Execute(ctx, conn, "DROP TABLE t_identity")
}

// load makes the table with its indexes, vacuumed and checkpointed.
func (i identity) load(ctx context.Context, conn *pgx.Conn, rows int) error {
	statements := []string{"CREATE TABLE t_identity (id integer NOT NULL, data text)"}
	if i.toasted {
		statements = append(statements, "ALTER TABLE t_identity ALTER data SET STORAGE EXTERNAL")
	}
	statements = append(statements, fmt.Sprintf("INSERT INTO t_identity SELECT i, %s FROM generate_series(1, %d) AS s(i)", i.payload, rows))
	for n := range i.indexes {
		sql := "ALTER TABLE t_identity ADD PRIMARY KEY (id)"
		if n > 0 {
			sql = fmt.Sprintf("CREATE INDEX ON t_identity ((id + %d))", n)
		}
		statements = append(statements, sql)
	}
	statements = append(statements, "ALTER TABLE t_identity REPLICA IDENTITY "+i.replica, "VACUUM ANALYZE t_identity", "CHECKPOINT")
	return postgres.Execute(ctx, conn, statements...)
}
