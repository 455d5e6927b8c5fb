package instrument

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres/testserver"
)

// versions are read alike although EXPLAIN and the statistics views changed.
var versions = []string{"16", "17", "18"}

func session(t *testing.T, version string) *pgx.Conn {
	t.Helper()
	conn, err := testserver.Start(t, version).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func must(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func TestReading(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			conn := session(t, version)
			must(t, conn, "CREATE EXTENSION pgstattuple")
			// 1,000 rows of which every tenth is active.
			must(t, conn, `CREATE TABLE orders (id int PRIMARY KEY, deleted boolean NOT NULL);
				INSERT INTO orders SELECT g, g % 10 <> 0 FROM generate_series(1, 1000) g;
				CREATE INDEX orders_deleted ON orders (deleted)`)
			must(t, conn, "SELECT pg_stat_force_next_flush()")
			must(t, conn, "VACUUM ANALYZE orders")
			t.Run("plan", func(t *testing.T) { testPlan(t, conn) })
			t.Run("sizes", func(t *testing.T) { testSizes(t, conn) })
			t.Run("index", func(t *testing.T) { testIndex(t, conn) })
			t.Run("digest", func(t *testing.T) { testDigest(t, conn) })
		})
	}
}

func testPlan(t *testing.T, conn *pgx.Conn) {
	must(t, conn, "SET enable_indexscan = off; SET enable_bitmapscan = off")
	defer must(t, conn, "RESET ALL")
	e, err := Explain(t.Context(), conn, "SELECT id FROM orders WHERE NOT deleted ORDER BY id LIMIT 50")
	if err != nil {
		t.Fatal(err)
	}
	// A sequential scan below a sort reads all 1,000 rows and drops the 900 deleted ones.
	if e.RowsRemoved() != 900 || e.Nodes() != "Limit > Sort > Seq Scan" || e.Scan().ActualRows != 100 || e.Scan().Relation != "orders" {
		t.Errorf("%d rows removed by %s, %v read from %q; want 900 by Limit > Sort > Seq Scan, 100 from orders",
			e.RowsRemoved(), e.Nodes(), e.Scan().ActualRows, e.Scan().Relation)
	}
	if !strings.HasPrefix(e.TopLine(), "Limit ") || e.Execution <= 0 || e.Execution > 60 {
		t.Errorf("top line %q, execution %v s", e.TopLine(), e.Execution)
	}
	again, err := e.Again(t.Context(), conn)
	if err != nil || again.Text != e.Text || again.RowsRemoved() != 900 {
		t.Errorf("again: %d rows removed, %v", again.RowsRemoved(), err)
	}
	if _, err := Explain(t.Context(), conn, "DO $$ BEGIN END $$"); err == nil {
		t.Error("a DO block has a plan")
	}
}

func testSizes(t *testing.T, conn *pgx.Conn) {
	s, err := ReadSizes(t.Context(), conn, "orders")
	if err != nil {
		t.Fatal(err)
	}
	// 1,000 rows of 28 + 4 bytes and a line pointer of 4: 226 on a page of 8,168 usable bytes, so 5 pages.
	if s.Heap != 5*8192 || s.Live != 1000 || s.Dead != 0 || s.Indexes != 2 {
		t.Errorf("%+v; want a heap of 5 pages, 1,000 live and no dead rows, 2 indexes", s)
	}
	pk, err := RelationSize(t.Context(), conn, "orders_pkey")
	if err != nil || pk != s.PK {
		t.Errorf("primary key %d and %d, %v", pk, s.PK, err)
	}
	if s.Total < s.Heap+s.PK+s.Secondary {
		t.Errorf("the total %d is below its parts %+v", s.Total, s)
	}
	if n, err := ReltuplesOf(t.Context(), conn, "orders"); err != nil || n != 1000 {
		t.Errorf("reltuples %v, %v; want 1000", n, err)
	}
	if _, err := ReadSizes(t.Context(), conn, "nowhere"); err == nil {
		t.Error("a table that does not exist has a size")
	}
}

func testIndex(t *testing.T, conn *pgx.Conn) {
	h, err := ReadIndexHealth(t.Context(), conn, "orders_pkey")
	if err != nil {
		t.Fatal(err)
	}
	// 1,000 entries of 16 bytes and a line pointer: 20,000 bytes at 90 % of 8,152 are 3 leaf pages, in order.
	if h.LeafPages != 3 || h.DeletedPages != 0 || h.Fragmentation != 0 || h.LeafDensity < 70 || h.LeafDensity > 95 {
		t.Errorf("%+v; want 3 dense leaf pages in order", h)
	}
}

func testDigest(t *testing.T, conn *pgx.Conn) {
	rows, digest, err := Digest(t.Context(), conn, "SELECT id FROM orders ORDER BY id;")
	if err != nil || rows != 1000 {
		t.Fatalf("%d rows, %v; want 1000", rows, err)
	}
	_, backwards, _ := Digest(t.Context(), conn, "SELECT id FROM orders ORDER BY id DESC")
	if backwards != digest {
		t.Error("the digest depends on the order of the rows")
	}
	_, other, _ := Digest(t.Context(), conn, "SELECT CASE id WHEN 7 THEN 1007 ELSE id END FROM orders")
	if other == digest {
		t.Error("another row has the same digest")
	}
	// The SHA-256 of the empty string, FIPS 180-4.
	_, none, err := Digest(t.Context(), conn, "SELECT id FROM orders WHERE false")
	if err != nil || none != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("the digest of nothing is %q, %v", none, err)
	}
}
