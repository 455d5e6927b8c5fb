//go:build unix

package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/faults"
	"deletecost/runner/postgres"
)

// order is what a child of the test is to do.
type order struct {
	Server          string // as pgx.ParseConfig takes it
	Dir             string
	Tables, Parents []string
	PartRows, Level int
	Restore         bool
	KilledAt        int // the failpoint
}

// orderVariable holds an order for a child.
const orderVariable = "DELETECOST_FAULT_ORDER"

// TestMain is also the child, which runs the pipeline once.
func TestMain(m *testing.M) {
	text := os.Getenv(orderVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	if err := obey(context.Background(), text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// obey runs the pipeline and kills this process at the failpoint.
func obey(ctx context.Context, text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	wire := &tripwire{at: o.KilledAt, act: func() error {
		if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
			return err
		}
		select {} // the signal comes
	}}
	_, err := archive.Run(ctx, archive.Config{
		Conn: func(ctx context.Context) (*pgx.Conn, error) { return pgx.Connect(ctx, o.Server) },
		Dir:  o.Dir, Tables: o.Tables, Parents: o.Parents, PartRows: o.PartRows, Level: o.Level, Restore: o.Restore, Fail: wire.pass,
	})
	return err
}

// runKilled runs the pipeline in a child that kills itself at a failpoint, and
// tells whether it did; otherwise it came to its end first.
func runKilled(ctx context.Context, server *postgres.Server, cfg archive.Config, at int) (killed bool, err error) {
	text, err := json.Marshal(order{
		Server: conninfo(server), Dir: cfg.Dir, Tables: cfg.Tables, Parents: cfg.Parents, PartRows: cfg.PartRows, Level: cfg.Level,
		Restore: cfg.Restore, KilledAt: at,
	})
	if err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), orderVariable+"="+string(text))
	var said strings.Builder
	cmd.Stderr = &said
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("the child: %w: %s", err, &said)
	}
	return false, nil
}

// conninfo is how the child connects.
func conninfo(server *postgres.Server) string {
	c := server.ConnConfig()
	return fmt.Sprintf("host='%s' port=%d user=%s password=%s database=%s sslmode=disable", c.Host, c.Port, c.User, c.Password, c.Database)
}

// The process that runs the pipeline is killed at failpoint after failpoint, and
// the pipeline is run again, at once: its backends may not have noticed yet.
func TestKilledAtEachFailpoint(t *testing.T) {
	server := start(t)
	points := allPoints(t, server.Connect)
	var count faults.Count
	first := seed(t) + 10_000
	for n, at := range tried(t, points, 1, 6) {
		trialSeed := first + uint64(at)
		trial := begin(t, server.Connect, trialSeed)
		trial.Writers.Late.Store(n%2 == 1 && at < reached(t, points, "before lock"))
		if killed, err := runKilled(t.Context(), server, trial.Config(), at); err != nil || !killed {
			t.Errorf("killed %v, %v", killed, err)
		}
		conclude(t, trial, trialSeed, &count)
		if t.Failed() {
			t.Fatalf("failpoint %d, %q", at, points[at-1])
		}
	}
	t.Logf("%d failpoints: %v", len(points), count)
}
