package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// What is executed directly ends as by pgx, whose way is taken when the context can end.
func TestExecDirect(t *testing.T) {
	conn := testserver.Connect(t, startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{}))
	for name, sql := range map[string]string{
		"five": "SELECT g FROM generate_series(1, 5) AS g WHERE $1 <> ''", "none": "SELECT 1 WHERE $1 = ''",
		"fill": "INSERT INTO d SELECT g FROM generate_series(1, 7) AS g WHERE $1 <> ''", "divide": "SELECT 1 / $1::int"} {
		if name == "fill" {
			if _, err := conn.Exec(t.Context(), "CREATE TABLE d (id int)"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := conn.PgConn().Prepare(t.Context(), name, sql, nil); err != nil {
			t.Fatal(err)
		}
	}
	long := bytes.Repeat([]byte("x"), 1<<20)
	for way, ctx := range map[string]context.Context{"directly": context.Background(), "by pgx": t.Context()} {
		for _, test := range []struct {
			name      string
			parameter []byte
			rows      int
			code      string
		}{{"five", []byte("x"), 5, ""}, {"five", long, 5, ""}, {"none", []byte("x"), 0, ""}, {"fill", []byte("x"), 7, ""},
			{"divide", []byte("0"), 0, "22012"}, {"divide", []byte("1"), 1, ""}, {"unknown", nil, 0, "26000"}} {
			rows, err := postgres.ExecPrepared(ctx, conn, test.name, test.parameter)
			answered(t, way+" "+test.name, rows, err, test.rows, test.code)
		}
		for sql, want := range map[string]int{"SELECT generate_series(1, 3)": 3, "INSERT INTO d VALUES (1), (2)": 2, "SET work_mem = '8MB'": 0} {
			rows, err := postgres.ExecSimple(ctx, conn, sql)
			answered(t, way+" "+sql, rows, err, want, "")
		}
		rows, err := postgres.ExecSimple(ctx, conn, "SELECT 1 / 0")
		answered(t, way+" a division", rows, err, 0, "22012")
	}
}

// answered compares an answer with what is to come; code is the SQLSTATE of the error, or "".
func answered(t *testing.T, what string, rows int, err error, want int, code string) {
	t.Helper()
	said, isPg := errors.AsType[*pgconn.PgError](err)
	if isPg != (code != "") || isPg && said.Code != code || !isPg && err != nil || rows != want {
		t.Errorf("%s: %d rows, error %v, want %d rows, code %q", what, rows, err, want, code)
	}
}

// pgx knows what became of the transaction, and a connection that has ended says so.
func TestExecDirectState(t *testing.T) {
	conn := testserver.Connect(t, startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{}))
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.ExecSimple(context.Background(), conn, "SELECT 1 / 0"); err == nil || conn.PgConn().TxStatus() != 'E' {
		t.Errorf("got %v and status %c, want an error and E", err, conn.PgConn().TxStatus())
	}
	if err := tx.Commit(t.Context()); !errors.Is(err, pgx.ErrTxCommitRollback) {
		t.Errorf("the commit said %v, want that it rolled back", err)
	}
	if _, err := postgres.ExecSimple(context.Background(), conn, "SELECT pg_terminate_backend(pg_backend_pid())"); err == nil || !conn.IsClosed() {
		t.Errorf("got %v, closed %v, want an error and a closed connection", err, conn.IsClosed())
	}
	if _, err := postgres.ExecSimple(context.Background(), conn, "SELECT 1"); err == nil {
		t.Error("a closed connection is to be an error")
	}
}

// A statement whose context ends is cancelled at once.
func TestExecDirectCancelled(t *testing.T) {
	conn := testserver.Connect(t, startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := postgres.ExecSimple(ctx, conn, "SELECT pg_sleep(60)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("the cancelled statement came back after %v", took)
	}
}
