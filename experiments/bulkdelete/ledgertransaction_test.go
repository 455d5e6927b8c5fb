package bulkdelete

import (
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// A lock counts from the statement that took it to the end of the commit: of a
// copy whose LOCK takes 2 s, the copying 5, the second LOCK 1, the DROP 4 and
// the commit 3, the first lock has all 15 s and the second 1 + 4 + 3.
func TestSecondsOfALock(t *testing.T) {
	var transaction ledgerTransaction
	for _, statement := range []struct {
		sql  string
		took float64
		then []int
	}{
		{"LOCK TABLE t_large IN SHARE MODE", 2, []int{shareLock}},
		{"INSERT INTO t_kept SELECT * FROM t_large", 5, []int{accessShare, shareLock}},
		{"LOCK TABLE t_large IN ACCESS EXCLUSIVE MODE", 1, []int{accessShare, shareLock, accessExclusive}},
		{"DROP TABLE t_large", 4, []int{accessShare, shareLock, accessExclusive}},
	} {
		transaction.spend(statement.took)
		transaction.hold(statement.then, statement.sql, statement.took)
	}
	transaction.spend(3)
	book := lockBook{}
	book.add(transaction.locks)
	if transaction.seconds != 15 || book[shareLock].seconds != 15 || book[accessShare].seconds != 13 || book[accessExclusive].seconds != 8 {
		t.Errorf("%v s in all and locks %v, want 15, and of them SHARE 15, ACCESS SHARE 13 and ACCESS EXCLUSIVE 8", transaction.seconds, book)
	}
	if got := book[accessExclusive].taken; got != "LOCK TABLE t_large" {
		t.Errorf("ACCESS EXCLUSIVE was taken by %q", got)
	}
	if got := book.longest().name(); got != "SHARE" {
		t.Errorf("the longest lock is %s, want SHARE", got)
	}
}

// What is entered as held keeps others out as PostgreSQL's documentation says:
// under SHARE nobody else writes and everybody reads, under ACCESS EXCLUSIVE
// nobody does either; after the commit everybody does both.
func TestLocksKeepOthersOut(t *testing.T) {
	server := testserver.Start(t, "18")
	conn, other := testserver.Connect(t, server), testserver.Connect(t, server)
	if err := postgres.Execute(t.Context(), conn, append(ledgerSQL("plain", "all_rows", "10", "payload", sourcePayload), "BEGIN")...); err != nil {
		t.Fatal(err)
	}
	if err := postgres.Execute(t.Context(), other, "SET lock_timeout = '50ms'"); err != nil {
		t.Fatal(err)
	}
	transaction := ledgerTransaction{conn: conn}
	if err := conn.QueryRow(t.Context(), "SELECT 't_large'::regclass::oid").Scan(&transaction.table); err != nil {
		t.Fatal(err)
	}
	for _, sql := range append(swapped(mostOfIt).sql("id <= 9", 1, 9), "COMMIT") {
		if _, err := transaction.execute(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
		modes, err := locksOn(t.Context(), conn, transaction.table)
		if err != nil {
			t.Fatal(err)
		}
		alone := slices.Contains(modes, accessExclusive)
		for _, stranger := range []struct {
			sql  string
			kept bool
		}{{"DELETE FROM t_large WHERE id = 0", alone || slices.Contains(modes, shareLock)}, {"SELECT FROM t_large", alone}} {
			err := postgres.Execute(t.Context(), other, stranger.sql)
			var refused *pgconn.PgError
			if kept := errors.As(err, &refused) && refused.Code == "55P03"; kept != stranger.kept || err != nil && !kept {
				t.Errorf("after %q, with locks %v: %q ended with %v, kept out should be %v", sql, modes, stranger.sql, err, stranger.kept)
			}
		}
	}
}
