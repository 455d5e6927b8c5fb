package checker

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres/testserver"
)

// tree is a partition tree with a month that has rows 1 to 3 and a current one
// that has rows 10 and 11.
const tree = `DROP SCHEMA public CASCADE; CREATE SCHEMA public;
CREATE TABLE a (id text, at int) PARTITION BY RANGE (at);
CREATE TABLE m PARTITION OF a FOR VALUES FROM (1) TO (2);
CREATE TABLE current PARTITION OF a FOR VALUES FROM (2) TO (3);
INSERT INTO a VALUES ('1', 1), ('2', 1), ('3', 1), ('10', 2), ('11', 2);`

// do executes statements.
func do(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Rows 1 to 3 were loaded, 10 and 11 acknowledged, 12 is unknown.
func TestServerAndArchives(t *testing.T) {
	conn, err := testserver.Start(t, "17").Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	whole := [][]string{{"1", "2"}, {"3"}}
	const detach = "ALTER TABLE a DETACH PARTITION m;"
	const dropped = detach + "DROP TABLE m;"
	for _, test := range []struct {
		name                             string
		sql                              string
		parts                            [][]string
		live, detached, archived, copies int64
		want                             []string
	}{
		{"attached", "", nil, 5, 0, 0, 0, nil},
		{"detached", detach, nil, 2, 3, 0, 0, nil},
		{"detached with a copy", detach, whole, 2, 3, 0, 3, nil},
		{"archived", dropped, whole, 2, 0, 3, 0, nil},
		{"an unknown row is there", "INSERT INTO a VALUES ('12', 2)", nil, 6, 0, 0, 0, nil},
		{"an unknown row is there twice", "INSERT INTO a VALUES ('12', 2), ('12', 1)", nil, 7, 0, 0, 0, []string{"twice: a 12 (2 times live)"}},
		{"dropped and not archived", dropped, nil, 2, 0, 0, 0, []string{"lost: a 1 (loaded, nowhere)", "lost: a 2 (loaded, nowhere)", "lost: a 3 (loaded, nowhere)"}},
		{"a row missing in the archive", dropped, [][]string{{"1", "3"}}, 2, 0, 2, 0, []string{"lost: a 2 (loaded, nowhere)"}},
		{"a loaded row deleted", "DELETE FROM a WHERE id = '3'", nil, 4, 0, 0, 0, []string{"lost: a 3 (loaded, nowhere)"}},
		{"an acknowledged row deleted", "DELETE FROM a WHERE id = '11'", nil, 4, 0, 0, 0, []string{"lost: a 11 (acknowledged, nowhere)"}},
		{"a row twice in the tree", "INSERT INTO a VALUES ('10', 1)", nil, 6, 0, 0, 0, []string{"twice: a 10 (2 times live)"}},
		{"a row in two places", detach + "INSERT INTO m VALUES ('10', 1)", nil, 2, 4, 0, 0, []string{"twice: a 10 (1 times live, 1 times detached)"}},
		{"an archived row still live", dropped + "INSERT INTO a VALUES ('2', 2)", whole, 3, 0, 3, 0, []string{"twice: a 2 (1 times live, 1 times archived)"}},
		{"an acknowledged row in the archive too", dropped, [][]string{{"1", "2"}, {"3", "11"}}, 2, 0, 4, 0, []string{"twice: a 11 (1 times live, 1 times archived)"}},
		{"a row of nobody", "INSERT INTO a VALUES ('99', 2)", nil, 6, 0, 0, 0, []string{"stray: a 99 (1 times live)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			do(t, conn, tree+test.sql)
			table := Table{Name: "a", Live: "public.a", Months: []string{"public.m"}, Loaded: []string{"1", "2", "3"}}
			places := Places{Ledgers: []string{ledgerOf(t, []string{"10", "11"}, []string{"12"})}, Tables: []Table{table}}
			if test.parts != nil {
				places.Archives = []string{archiveOf(t, test.parts...)}
			}
			r, err := Check(t.Context(), conn, places)
			if err != nil || !slices.Equal(lines(r), test.want) {
				t.Errorf("%v, %v; want violations %q", r, err, test.want)
			}
			if r.Live != test.live || r.Detached != test.detached || r.Archived != test.archived || r.Copies != test.copies {
				t.Errorf("%v; want live %d, detached %d, archived %d, copies %d", r, test.live, test.detached, test.archived, test.copies)
			}
			places.Tables[0].Digest, places.Tables[0].Loaded = digestOf(table.Loaded...), nil
			if r, err = Check(t.Context(), conn, places); err != nil || (len(r.Violations) > 0) != (test.want != nil) {
				t.Errorf("by digest: %v, %v; want violations: %v", r, err, test.want != nil)
			}
		})
	}
}

// A detachment that waits for a reader and is cancelled stays pending. Then the
// month's rows are seen once, on their own.
func TestPendingDetachIsOnePlace(t *testing.T) {
	server := testserver.Start(t, "17")
	conn, err := server.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	reader, err := server.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close(context.Background())
	do(t, conn, tree)
	do(t, reader, "BEGIN; SELECT count(*) FROM a")
	do(t, conn, "SET statement_timeout = '200ms'")
	if _, err := conn.Exec(t.Context(), "ALTER TABLE a DETACH PARTITION m CONCURRENTLY"); err == nil || !strings.Contains(err.Error(), "statement timeout") {
		t.Fatalf("%v, want the detachment cancelled", err)
	}
	do(t, conn, "RESET statement_timeout")
	r, err := Check(t.Context(), conn, Places{Ledgers: []string{ledgerOf(t, []string{"10", "11"}, nil)},
		Tables: []Table{{Name: "a", Live: "public.a", Months: []string{"public.m"}, Loaded: []string{"1", "2", "3"}}}})
	if err != nil || r.Live != 2 || r.Detached != 3 || len(r.Violations) > 0 {
		t.Errorf("%v, %v; want 2 live and 3 detached", r, err)
	}
}

// Row security hides rows from their owner; the checker says so and proves nothing.
func TestRowSecurityIsAnError(t *testing.T) {
	conn, err := testserver.Start(t, "17").Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	do(t, conn, tree+`CREATE ROLE owner; GRANT ALL ON SCHEMA public TO owner; ALTER TABLE a OWNER TO owner; ALTER TABLE m OWNER TO owner; ALTER TABLE current OWNER TO owner;
		ALTER TABLE a ENABLE ROW LEVEL SECURITY; ALTER TABLE a FORCE ROW LEVEL SECURITY; SET SESSION AUTHORIZATION owner`)
	_, err = Check(t.Context(), conn, Places{Tables: []Table{{Name: "a", Live: "public.a"}}})
	if err == nil || !strings.Contains(err.Error(), "row-level security") {
		t.Errorf("%v, want the error of row security", err)
	}
}

// While writers commit, nothing of theirs is a violation.
func TestWritersMayRun(t *testing.T) {
	server := testserver.Start(t, "17")
	conn, err := server.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	do(t, conn, tree+"DELETE FROM current")
	ledger := t.TempDir() + "/ledger"
	ctx, stop := context.WithCancel(t.Context())
	wrote := make(chan error, 1)
	go func() { wrote <- insertUntil(ctx, server.Connect, ledger) }()
	for range 30 {
		time.Sleep(10 * time.Millisecond) // the writer gets on
		r, err := Check(t.Context(), conn, Places{Ledgers: existing(ledger), Tables: []Table{{Name: "a", Live: "public.a", Loaded: []string{"1", "2", "3"}}}})
		if err != nil || len(r.Violations) > 0 {
			t.Errorf("%v, %v; want no violations", r, err)
		}
	}
	stop()
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
}
