package postgres_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// keepBusy lets a backend of the server sleep and returns when it does so.
func keepBusy(t *testing.T, server *postgres.Server) {
	t.Helper()
	conn := testserver.Connect(t, server)
	go conn.Exec(context.Background(), "SELECT pg_sleep(1000)")
	eventually(t, 10*time.Second, "a sleeping backend", func() bool {
		return ask(t, server, "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1"
	})
}

func TestStopWhileABackendIsBusy(t *testing.T) {
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ctx := range map[string]context.Context{"fast": context.Background(), "immediate": expired} {
		server := startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{})
		keepBusy(t, server)
		if err := server.Stop(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := processesIn(server.SocketDir); len(left) > 0 {
			t.Errorf("%s: processes %v are left", name, left)
		}
		if err := server.Err(); err != nil {
			t.Errorf("%s: %v, want no error of a server that was stopped", name, err)
		}
	}
}

func TestStopAtTheSameTime(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	server := startServer(t, host, postgres.Options{})
	keepBusy(t, server)
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	var stops sync.WaitGroup
	for _, stop := range []func() error{
		func() error { return server.Stop(context.Background()) },
		func() error { return server.Stop(expired) },
		func() error { return host.Close() },
		func() error { host.Quit(); return nil },
		func() error { return host.Close() },
	} {
		stops.Go(func() {
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
	stops.Wait()
	if err := server.Stop(context.Background()); err != nil {
		t.Errorf("Stop after all: %v", err)
	}
}

func TestServerThatEndsByItself(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	server := startServer(t, host, postgres.Options{Name: "gone"})
	select {
	case <-server.Done():
		t.Fatal("done while it runs")
	default:
	}
	if err := server.Err(); err != nil {
		t.Fatalf("while it runs: %v", err)
	}
	postmaster, err := os.FindProcess(server.Pid())
	if err != nil {
		t.Fatal(err)
	}
	if err := postmaster.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-server.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("not done 10 s after SIGQUIT to the postmaster")
	}
	if err := server.Err(); err == nil || !strings.Contains(err.Error(), `"gone" ended by itself`) || !strings.Contains(err.Error(), "received immediate shutdown request") {
		t.Errorf("%v, want its name, and its log's last lines", err)
	}
	if err := host.Close(); !errors.Is(err, server.Err()) {
		t.Errorf("Close: %v, want it to tell of the server that ended", err)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	config := testConfig(t, "17")
	cold := config
	cold.Cache = "" // so that initdb runs
	for _, c := range []struct {
		config postgres.Config
		after  time.Duration
	}{{config, 0}, {config, 30 * time.Millisecond}, {config, 90 * time.Millisecond}, {cold, 100 * time.Millisecond}, {cold, 400 * time.Millisecond}} {
		host := openHost(t, c.config)
		why := errors.New("no longer wanted")
		ctx, cancel := context.WithTimeoutCause(t.Context(), c.after, why)
		server, err := host.Start(ctx, postgres.Options{})
		cancel()
		if err == nil { // the machine was faster: the server must live on
			ask(t, server, "SELECT 'up'")
		} else if !errors.Is(err, why) {
			t.Errorf("after %v: %v, want the cause of the end", c.after, err)
		} else if left := processesIn(host.Folder); len(left) > 0 {
			t.Errorf("after %v: processes %v are left", c.after, left)
		}
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCloseDuringAStart(t *testing.T) {
	host := openHost(t, testConfig(t, "17"))
	ended := make(chan error)
	go func() {
		_, err := host.Start(context.Background(), postgres.Options{})
		ended <- err
	}()
	eventually(t, 10*time.Second, "a start under way", func() bool { return len(mustGlob(t, host.Folder+"/1")) > 0 })
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "being stopped") {
		t.Errorf("the start: %v, want it done or told that the run ends", err)
	}
}
