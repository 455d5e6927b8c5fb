package roundtrip_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
	"deletecost/runner/roundtrip"
)

// connect opens a connection to the server over n.
func connect(t *testing.T, server *postgres.Server, n *roundtrip.Network) *pgx.Conn {
	t.Helper()
	config := server.ConnConfig()
	config.DialFunc = n.DialFunc(config.DialFunc)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func TestPostgreSQL(t *testing.T) {
	server := testserver.Start(t, "17")
	t.Run("flights of pgx", func(t *testing.T) { flightsOfPgx(t, server) })
	t.Run("check", func(t *testing.T) { check(t, server) })
	t.Run("check of another connection", func(t *testing.T) { checkAnother(t, server) })
	t.Run("cancelled wait", func(t *testing.T) { cancelledWait(t, server) })
}

// The round trips are those of the protocol: Parse and Describe with Sync, then Bind and Execute with Sync, and so on.
func flightsOfPgx(t *testing.T, server *postgres.Server) {
	var n roundtrip.Network
	n.SetDelay(100 * time.Microsecond)
	conn := connect(t, server, &n)
	if got := n.Reset(); got != 3 {
		t.Errorf("connecting took %d flights, want 3: startup, and two of SCRAM", got)
	}
	ask := func(args ...any) func() error {
		return func() error {
			var answer int
			return conn.QueryRow(t.Context(), "SELECT $1::int", args...).Scan(&answer)
		}
	}
	batch := func() error {
		var b pgx.Batch
		for range 5 {
			b.Queue("SELECT $1::int", 1)
		}
		return conn.SendBatch(t.Context(), &b).Close()
	}
	transaction := func() error {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			return err
		}
		return tx.Commit(t.Context())
	}
	for _, test := range []struct {
		name string
		do   func() error
		want int64
	}{
		{"a statement to be cached", ask(1), 2},
		{"a cached statement", ask(1), 1},
		{"simple protocol", ask(pgx.QueryExecModeSimpleProtocol, 1), 1},
		{"exec", ask(pgx.QueryExecModeExec, 1), 1},
		{"describe and exec", ask(pgx.QueryExecModeDescribeExec, 1), 2},
		{"a batch of five cached statements", batch, 1},
		{"begin and commit", transaction, 2},
	} {
		n.Reset()
		if err := test.do(); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if got := n.Flights(); got != test.want {
			t.Errorf("%s took %d flights, want %d", test.name, got, test.want)
		}
	}
}

func check(t *testing.T, server *postgres.Server) {
	var n roundtrip.Network
	conn := connect(t, server, &n)
	n.SetDelay(7 * time.Microsecond)
	delays := []time.Duration{100 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 6 * time.Millisecond}
	checked, err := roundtrip.Check(t.Context(), conn, &n, delays)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range checked {
		t.Logf("asked for %v: %v back to back, %v without, %v with, added %v, valid %v", a.Asked, a.BackToBack, a.Without, a.With, a.Added, a.Valid)
		if a.Asked != delays[i] || a.With < a.Asked || a.Without <= 0 || a.BackToBack <= 0 || a.Added != a.With-a.Without || a.Samples < 12 {
			t.Errorf("got %+v, want at least %v with the delay", a, delays[i])
		}
	}
	if got := n.Delay(); got != 7*time.Microsecond || len(checked) != len(delays) {
		t.Errorf("left a delay of %v after %d checks, want the 7 µs from before after %d", got, len(checked), len(delays))
	}
}

func checkAnother(t *testing.T, server *postgres.Server) {
	conn, err := server.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_, err = roundtrip.Check(t.Context(), conn, new(roundtrip.Network), []time.Duration{time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "0 flights") {
		t.Errorf("got %v, want an error that SELECT 1 took no flight", err)
	}
}

// A query whose round trip takes an hour ends when its context does.
func cancelledWait(t *testing.T, server *postgres.Server) {
	var n roundtrip.Network
	conn := connect(t, server, &n)
	n.SetDelay(time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Exec(ctx, "SELECT 1")
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the query succeeded, want the end of its context")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the query still waits")
	}
	n.SetDelay(0)
}
