package postgres_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"deletecost/runner/postgres"
)

// A primary waits for a standby that takes no WAL, so it ends by an immediate shutdown.
func TestStopOfAPrimaryWithAFrozenStandby(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	primary := startServer(t, host, postgres.Options{Name: "primary"})
	standby := startStandby(t, host, primary, postgres.Options{})
	frozen := processesIn(standby.SocketDir)
	signal := func(sig syscall.Signal) {
		for _, pid := range frozen {
			if err := syscall.Kill(pid, sig); err != nil {
				t.Fatal(err)
			}
		}
	}
	signal(syscall.SIGSTOP)
	execute(t, primary, "CREATE TABLE untaken AS SELECT generate_series(1, 1000)")
	short, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := primary.Stop(short); err != nil {
		t.Error(err)
	}
	if short.Err() == nil {
		t.Error("the primary has not waited for its standby, so this test shows nothing")
	}
	if left := processesIn(primary.SocketDir); len(left) > 0 {
		t.Errorf("processes %v of the primary are left", left)
	}
	signal(syscall.SIGCONT)
	if err := host.Close(); err != nil {
		t.Error(err)
	}
}
