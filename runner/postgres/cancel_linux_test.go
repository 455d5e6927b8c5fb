package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// A query that is cancelled ends at once, on the connection that the tool uses.
func TestBlockingCancel(t *testing.T) {
	conn := testserver.Connect(t, startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{}))
	if kind := fmt.Sprintf("%T", conn.PgConn().Conn()); kind != "*postgres.blocking" {
		t.Fatalf("the connection is a %s", kind)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := conn.Exec(ctx, "SELECT pg_sleep(60)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("the cancelled query came back after %v", took)
	}
}
