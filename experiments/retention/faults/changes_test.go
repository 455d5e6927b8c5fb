package faults_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/faults"
)

// A row that comes into the month, or is exchanged there for another of the
// same key, at a failpoint after the detachment is archived as it is then, or
// stops the run. Who cannot get in because of the pipeline's locks has changed
// nothing.
func TestRowsChangedAtFailpoints(t *testing.T) {
	connect := start(t).Connect
	points := allPoints(t, connect)
	var count faults.Count
	first := seed(t) + 40_000
	stopped, kept := 0, 0
	places := tried(t, points, reached(t, points, "after detach"), 16)
	places = append(places, reached(t, points, "before restore"), reached(t, points, "before exclusive"))
	for _, at := range places {
		for _, change := range []string{"insert", "exchange"} {
			trialSeed := first + uint64(2*at)
			trial := begin(t, connect, trialSeed)
			done := false
			wire := &tripwire{at: at, act: func() error {
				var err error
				done, err = changeMonth(t.Context(), connect, trial, change)
				return err
			}}
			cfg := trial.Config()
			cfg.Fail = wire.pass
			got, err := archive.Run(t.Context(), cfg)
			switch {
			case err == nil && got.State == archive.StateDropped:
				kept++
			case done && errors.Is(err, archive.ErrChanged):
				stopped++
			default:
				t.Errorf("%s %v at %q: state %q, %v", change, done, wire.name(), got.State, err)
			}
			conclude(t, trial, trialSeed, &count)
			if t.Failed() {
				t.Fatalf("%s at failpoint %d, %q", change, at, points[at-1])
			}
		}
	}
	if stopped == 0 || kept == 0 {
		t.Errorf("%d runs were stopped and %d came to their end; want some of both", stopped, kept)
	}
	t.Logf("%d runs stopped, %d came to their end: %v", stopped, kept, count)
}

// changeMonth changes a row of the month, and with an exchange in the kept copy
// too; it tells whether that is committed.
func changeMonth(ctx context.Context, connect faults.Connect, trial *faults.Trial, change string) (done bool, err error) {
	conn, err := connect(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SET lock_timeout = '50ms'"); err != nil {
		return false, err
	}
	const exchange = "UPDATE %s SET body = 'another' WHERE id = (SELECT min(id::text)::uuid FROM kept.activities); "
	if change == "exchange" {
		_, err = conn.Exec(ctx, fmt.Sprintf(exchange+exchange, "activities_2001_03", "kept.activities"))
		return err == nil, nil
	}
	return trial.InsertLate(ctx, conn)
}

// A reader of the month, who holds ACCESS SHARE, is in the way of the last lock.
// The run gives up and has dropped nothing.
func TestLockHeld(t *testing.T) {
	connect := start(t).Connect
	trial := begin(t, connect, seed(t))
	reader, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close(context.Background())
	cfg := trial.Config()
	cfg.LockTimeout = 200 * time.Millisecond
	cfg.Fail = onceAt("before exclusive", func() error {
		_, err := reader.Exec(t.Context(), "BEGIN; SELECT count(*) FROM deliveries_2001_03")
		return err
	})
	if _, err := archive.Run(t.Context(), cfg); !errors.Is(err, archive.ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	amid, err := trial.Check(t.Context())
	if err != nil || len(amid.Violations) > 0 || amid.Detached != 2*monthRows || amid.Copies != 2*monthRows {
		t.Errorf("%v, %v; want the months detached, and copies of them", amid, err)
	}
	if _, err := reader.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	var count faults.Count
	conclude(t, trial, seed(t), &count)
}

// A detachment that waits for a reader of the parent is cancelled. It stays
// pending, nothing is dropped, and the next run finishes it.
func TestDetachCancelled(t *testing.T) {
	connect := start(t).Connect
	trial := begin(t, connect, seed(t))
	reader, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close(context.Background())
	if _, err := reader.Exec(t.Context(), "BEGIN; SELECT count(*) FROM activities"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if got, err := archive.Run(ctx, trial.Config()); err == nil {
		t.Errorf("the run ended with state %q and no error, and the reader still reads", got.State)
	}
	if _, err := reader.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	var count faults.Count
	conclude(t, trial, seed(t), &count)
}
