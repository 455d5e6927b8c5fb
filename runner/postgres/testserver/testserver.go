// Package testserver gives tests a real PostgreSQL; nothing else imports it.
package testserver

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

// Host opens a host for the pinned PostgreSQL of a version word ("17") that is
// closed at the end of the test.
func Host(t *testing.T, version string) *postgres.Host {
	t.Helper()
	found, err := fetch.Postgres(t.Context(), fetch.Options{}, version)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := fetch.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	host, err := postgres.Open(t.Context(), postgres.Config{Binaries: found.Bin, Version: found.Version, Cache: cache, TempDir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return host
}

// Start starts a server with the tool's own settings.
func Start(t *testing.T, version string) *postgres.Server {
	t.Helper()
	server, err := Host(t, version).Start(t.Context(), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// Connect opens a session of the server that is closed at the end of the test.
func Connect(t *testing.T, server *postgres.Server) *pgx.Conn {
	t.Helper()
	conn, err := server.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// folder is a temporary one that the server's account may enter; a test's own
// lies too deep for a socket.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ts-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Clean(dir)
}
