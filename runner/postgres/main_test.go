package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"deletecost/runner/postgres"
)

// helperVariable holds the Config of a helper process as JSON; without it the test binary runs the tests.
const helperVariable = "DELETECOST_POSTGRES_HELPER"

// watcherVariable, when it is set, puts the helper's server under a watcher, as on macOS.
const watcherVariable = "DELETECOST_POSTGRES_WATCHER"

// readyClusters is the cache that the tests share, so that initdb runs once a version.
var readyClusters string

func TestMain(m *testing.M) {
	if text := os.Getenv(helperVariable); text != "" {
		os.Exit(helper(text))
	}
	var err error
	if readyClusters, err = os.MkdirTemp("", "postgres-test-cache-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(readyClusters)
	os.Exit(code)
}

// helperState is what a helper process tells about itself on its standard output.
type helperState struct {
	Folder  string   // its run folder
	Pid     int      // of its postmaster
	Swept   []string // by its Open
	Initdb  bool     // whether its start ran initdb
	Problem string   // why it could not start, or ""
}

// helper is a tool that holds a server with a busy backend until its standard input ends.
func helper(text string) int {
	var config postgres.Config
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		return 1
	}
	if os.Getenv(watcherVariable) != "" {
		config = postgres.UnderAWatcher(config)
	}
	host, state := helperServer(config)
	if err := json.NewEncoder(os.Stdout).Encode(state); err != nil {
		return 1
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if host == nil || host.Close() != nil {
		return 1
	}
	return 0
}

func helperServer(config postgres.Config) (*postgres.Host, helperState) {
	ctx := context.Background()
	host, err := postgres.Open(ctx, config)
	if err != nil {
		return nil, helperState{Problem: err.Error()}
	}
	server, err := host.Start(ctx, postgres.Options{Name: "held"})
	if err != nil {
		return host, helperState{Problem: err.Error()}
	}
	conn, err := server.Connect(ctx)
	if err != nil {
		return host, helperState{Problem: err.Error()}
	}
	go conn.Exec(ctx, "SELECT pg_sleep(1000)")
	return host, helperState{Folder: host.Folder, Pid: server.Pid(), Swept: host.Swept, Initdb: server.StartedIn.Initdb > 0}
}
