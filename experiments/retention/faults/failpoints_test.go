package faults_test

import (
	"context"
	"errors"
	"testing"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/faults"
)

// The pipeline is stopped at failpoints from within, with one stream and with
// two, and run again: the process lives on, unlike in TestKilledAtEachFailpoint.
// Up to the lock, late rows come into the month in every second trial; later
// ones would make it stop before it gets to the failpoint.
func TestStoppedAtFailpoints(t *testing.T) {
	connect := start(t).Connect
	points := allPoints(t, connect)
	locked := reached(t, points, "before lock")
	var count faults.Count
	first := seed(t)
	for n, at := range tried(t, points, 1, 16) {
		trialSeed := first + uint64(at)
		trial := begin(t, connect, trialSeed)
		trial.Writers.Late.Store(n%2 == 0 && at < locked)
		wire := &tripwire{at: at, act: func() error { return errKilled }}
		cfg := trial.Config()
		cfg.Fail, cfg.Streams = wire.pass, 1+n%3%2
		_, err := archive.Run(t.Context(), cfg)
		if !errors.Is(err, errKilled) {
			t.Errorf("stopped at %q: the error is %v", wire.name(), err)
		}
		conclude(t, trial, trialSeed, &count)
		if t.Failed() {
			t.Fatalf("failpoint %d, %q", at, points[at-1])
		}
	}
	t.Logf("%d failpoints: %v", len(points), count)
}

// The published method writes what row_to_json makes, which the checker reads
// too. It refuses json, in which a line break would end the line; jsonb nests.
func TestPublishedMethodIsChecked(t *testing.T) {
	connect := start(t).Connect
	trial := begin(t, connect, seed(t))
	conn, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "ALTER TABLE activities DROP COLUMN raw"); err != nil {
		t.Fatal(err)
	}
	cfg := trial.Config()
	cfg.Method, cfg.Restore = archive.MethodSource, false
	if got, err := archive.Run(t.Context(), cfg); err != nil || got.State != archive.StateDropped {
		t.Fatalf("state %q, %v", got.State, err)
	}
	if r, err := trial.End(t.Context()); err != nil || len(r.Violations) > 0 || r.Archived != 2*monthRows {
		t.Errorf("%v, %v; want %d rows archived", r, err, 2*monthRows)
	}
}
