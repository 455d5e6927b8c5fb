package archive

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// A bed is a server with what a test puts into it.
type bed struct {
	t      *testing.T
	server *postgres.Server
	conn   *pgx.Conn
}

func newBed(t *testing.T, version string) *bed {
	t.Helper()
	b := &bed{t: t, server: testserver.Start(t, version)}
	b.conn = b.connect()
	return b
}

func (b *bed) connect() *pgx.Conn {
	b.t.Helper()
	conn, err := b.server.Connect(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func (b *bed) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.conn.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
}

// value reads one value.
func value[T any](b *bed, sql string, args ...any) T {
	b.t.Helper()
	var v T
	if err := b.conn.QueryRow(b.t.Context(), sql, args...).Scan(&v); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// config archives the partition p of a table t, both in schema public.
func (b *bed) config(tables ...string) Config {
	cfg := Config{Conn: b.server.Connect, Dir: filepath.Join(b.t.TempDir(), "archive"), PartRows: 100, Level: 1, Restore: true}
	for _, name := range tables {
		cfg.Tables, cfg.Parents = append(cfg.Tables, name+"_old"), append(cfg.Parents, name)
	}
	return cfg
}

// months makes a partitioned table of that name for each, with a month that is
// to go, <name>_old, of so many rows, and another of 50.
func (b *bed) months(rows int, names ...string) {
	b.t.Helper()
	for _, name := range names {
		n := pgx.Identifier{name}.Sanitize()
		old, now := pgx.Identifier{name + "_old"}.Sanitize(), pgx.Identifier{name + "_now"}.Sanitize()
		b.exec("CREATE TABLE " + n + " (id int, at date NOT NULL, body text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)")
		b.exec("CREATE TABLE " + old + " PARTITION OF " + n + " FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')")
		b.exec("CREATE TABLE " + now + " PARTITION OF " + n + " FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')")
		b.exec("INSERT INTO "+n+" SELECT g, '2001-03-05', 'row ' || g FROM generate_series(1, $1::int) g", rows)
		b.exec("INSERT INTO " + n + " SELECT g, '2026-03-05', 'row ' || g FROM generate_series(1, 50) g")
	}
}

// asRole has the run connect as another role.
func (b *bed) asRole(cfg Config, role string) Config {
	cfg.Conn = func(ctx context.Context) (*pgx.Conn, error) {
		conn, err := b.server.Connect(ctx)
		if err == nil {
			_, err = conn.Exec(ctx, "SET SESSION AUTHORIZATION "+pgx.Identifier{role}.Sanitize())
		}
		return conn, err
	}
	return cfg
}

func (b *bed) exists(table string) bool {
	b.t.Helper()
	return value[bool](b, "SELECT to_regclass($1) IS NOT NULL", table)
}

// mustRun runs to the drop.
func (b *bed) mustRun(cfg Config) Outcome {
	b.t.Helper()
	out, err := Run(b.t.Context(), cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	if out.State != StateDropped {
		b.t.Fatalf("state %q", out.State)
	}
	if faults := faultsOf(b.t, cfg.Dir); len(faults) > 0 {
		b.t.Fatalf("faults: %v", faults)
	}
	return out
}
