package retention

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// onServer gives a bench on a real server with the tables and an empty current
// month.
func onServer(t *testing.T, version string) *bench {
	t.Helper()
	server := testserver.Start(t, version)
	conn := testserver.Connect(t, server)
	b := &bench{server: server, conn: conn, folder: t.TempDir()}
	if err := create(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	return b
}

func testMonth(rows int) month { return newMonth(rows, rand.New(rand.NewPCG(1, 2))) }

// The published 418.8 bytes a row with all indexes (7.8 GiB over 20,000,000
// rows), within 15 %; 14 secondary indexes, of which four are partial and
// empty; every row at once visible and frozen; and gzip 6 of parts of 50,000
// rows in id order gives the published 48.8 bytes a row, within 15 %.
func TestLoadIsAsPublished(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			b := onServer(t, version)
			const rows = 60_000
			if err := b.load(t.Context(), full, testMonth(rows)); err != nil {
				t.Fatal(err)
			}
			var bytesOf, secondary, partial int64
			compressed := 0
			for _, table := range tables(full) {
				size, err := readSize(t.Context(), b.conn, table.leaf())
				if err != nil {
					t.Fatal(err)
				}
				bytesOf, secondary, partial = bytesOf+size.total, secondary+size.secondary, partial+size.partial
				compressed += gzipped(t, b.conn, table.leaf(), 50_000)
			}
			if perRow := float64(bytesOf) / (2 * rows); perRow < 356 || perRow > 481.6 {
				t.Errorf("%.1f bytes a row, want 418.8 within 15 %%", perRow)
			}
			if secondary != 14 || partial != 4 {
				t.Errorf("%d secondary indexes, %d of them partial; want 14 and 4", secondary, partial)
			}
			if perRow := float64(compressed) / 100_000; perRow < 41.5 || perRow > 56.1 {
				t.Errorf("%.1f compressed bytes a row, want 48.8 within 15 %%", perRow)
			}
		})
	}
}

// gzipped is the size of one published part of a table.
func gzipped(t *testing.T, conn *pgx.Conn, table string, rows int) int {
	t.Helper()
	lines, err := conn.Query(t.Context(), fmt.Sprintf("SELECT row_to_json(t)::text FROM %s t ORDER BY id LIMIT %d", table, rows))
	if err != nil {
		t.Fatal(err)
	}
	texts, err := pgx.CollectRows(lines, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) != rows {
		t.Fatalf("%d rows of %s, want %d", len(texts), table, rows)
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, 6)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, strings.Join(texts, "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// A month that was detached and attached again is as it was: a partition with
// all of its indexes, and without the check that the detach leaves behind.
func TestAttachedAgainAsItWas(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			b := onServer(t, version)
			if err := b.load(t.Context(), full, testMonth(100)); err != nil {
				t.Fatal(err)
			}
			for _, table := range tables(full) {
				// Itself and its indexes, each with a parent: 1 + 1 + 3 of the
				// activities, 1 + 1 + 9 of the deliveries; no check.
				want := map[string]string{"activities": "5 0", "deliveries": "11 0"}[table.name]
				partOf := fmt.Sprintf("SELECT (SELECT count(*) FROM pg_inherits WHERE inhrelid = '%[1]s'::regclass OR inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = '%[1]s'::regclass)) || ' ' || (SELECT count(*) FROM pg_constraint WHERE conrelid = '%[1]s'::regclass AND contype = 'c')", table.leaf())
				for _, step := range []func() error{
					func() error { return nil },
					func() error { return postgres.Execute(t.Context(), b.conn, detachStatement(table)) },
					func() error { return table.attachAgain(t.Context(), b.conn) },
				} {
					if err := step(); err != nil {
						t.Fatal(err)
					}
				}
				if got := text1(t, b.conn, partOf); got != want {
					t.Errorf("%s: %s parents and checks, want %s", table.name, got, want)
				}
			}
		})
	}
}

// The same seed gives the same rows; the ids are random UUIDs of version 4;
// each delivery is one of an activity of the same moment; and a load leaves
// every page all-visible and all-frozen, which a visibility map says.
func TestLoadIsFrozenAndDeterministic(t *testing.T) {
	b := onServer(t, "17")
	const rows = 5000
	digests := map[string]bool{}
	for range 2 {
		if err := b.load(t.Context(), full, testMonth(rows)); err != nil {
			t.Fatal(err)
		}
		digests[text1(t, b.conn, "SELECT md5(string_agg(a::text, ',' ORDER BY id)) FROM activities_p2001_03 a")] = true
		for sql, want := range map[string]string{
			"SELECT count(*) FROM activities_p2001_03 a JOIN deliveries_p2001_03 d ON d.activity_id = a.id AND d.activity_inserted_at = a.inserted_at": "5000",
			"SELECT count(DISTINCT id) FROM activities_p2001_03 WHERE substr(id::text, 15, 1) = '4' AND substr(id::text, 20, 1) IN ('8','9','a','b')":  "5000",
			"SELECT min(inserted_at)::date::text || ' ' || (max(inserted_at) < '2001-04-01')::text FROM activities_p2001_03":                           "2001-03-01 true",
			"SELECT count(*) FROM activities_current": "0",
			"SELECT count(*) FROM pg_class WHERE oid IN ('activities_p2001_03'::regclass, 'deliveries_p2001_03'::regclass) AND relallvisible = relpages AND relpages > 0": "2",
		} {
			if got := text1(t, b.conn, sql); got != want {
				t.Errorf("%s: %s, want %s", sql, got, want)
			}
		}
		if err := b.discard(t.Context(), tables(full)); err != nil {
			t.Fatal(err)
		}
	}
	if len(digests) != 1 {
		t.Error("two loads of one seed differ")
	}
}

// text1 reads one value as text.
func text1(t *testing.T, conn *pgx.Conn, sql string) string {
	t.Helper()
	var got string
	if err := conn.QueryRow(t.Context(), "SELECT ("+strings.Replace(sql, ";", "", 1)+")::text").Scan(&got); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return got
}
