package postgres_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// binaries fetches the pinned PostgreSQL of a major version.
func binaries(t *testing.T, major string) fetch.Binaries {
	t.Helper()
	found, err := fetch.Postgres(t.Context(), fetch.Options{}, major)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// newTemp is a temporary folder that other accounts may enter. At the end of the test it must be empty.
func newTemp(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "pt-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("left in the temporary folder: %v, %v; want nothing", left, err)
		}
		if left := processesIn(folder); len(left) > 0 {
			t.Errorf("processes left in the temporary folder: %v; want none", left)
		}
		os.RemoveAll(folder)
	})
	return folder
}

// testConfig runs a major version with the shared cache in a temporary folder of the test's own.
func testConfig(t *testing.T, major string) postgres.Config {
	t.Helper()
	found := binaries(t, major)
	return postgres.Config{Binaries: found.Dir, Version: found.Version, Cache: readyClusters, TempDir: newTemp(t)}
}

// openHost opens a Host that is closed at the end of the test.
func openHost(t *testing.T, config postgres.Config) *postgres.Host {
	t.Helper()
	host, err := postgres.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	return host
}

// startServer starts a server on the host.
func startServer(t *testing.T, host *postgres.Host, options postgres.Options) *postgres.Server {
	t.Helper()
	server, err := host.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// ask returns the one value of a query as text.
func ask(t *testing.T, server *postgres.Server, query string) string {
	t.Helper()
	var answer string
	if err := testserver.Connect(t, server).QueryRow(t.Context(), query).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

// processesIn lists the processes whose working directory lies in the folder, where /proc tells. Every process of a
// server works in its data directory; one that has ended and only waits for its parent has no directory.
func processesIn(folder string) []int {
	entries, _ := os.ReadDir("/proc")
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", entry.Name(), "cwd"))
		if err == nil && strings.HasPrefix(cwd, folder+"/") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually waits until the condition holds, at most for the time given.
func eventually(t *testing.T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(within)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, within)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
