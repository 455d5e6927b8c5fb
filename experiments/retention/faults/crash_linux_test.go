package faults_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/faults"
)

// crashes is how many times the server is killed in each way: the stride goes
// for them too.
func crashes(t *testing.T) int { return max(12/stride(t, 4), 1) }

// All processes of the server are killed at failpoints that the seed draws. The
// pipeline is told nothing of it; it finds its connections broken.
func TestServerKilledAtFailpoints(t *testing.T) {
	server := startCrashable(t)
	points := allPoints(t, server.connect)
	var count faults.Count
	first := seed(t) + 20_000
	for n := range crashes(t) {
		trialSeed := first + uint64(n)
		at := 1 + rand.New(rand.NewPCG(trialSeed, 1)).IntN(len(points))
		trial := begin(t, server.connect, trialSeed)
		trial.Writers.Late.Store(n%2 == 0)
		wire := &tripwire{at: at, act: func() error { return server.crash(context.WithoutCancel(t.Context())) }}
		cfg := trial.Config()
		cfg.Fail = wire.pass
		_, err := archive.Run(t.Context(), cfg)
		t.Logf("seed %d: killed at %q: %v", trialSeed, wire.name(), err)
		conclude(t, trial, trialSeed, &count)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d failpoints: %v", len(points), count)
}

// All processes of the server are killed at moments that the seed draws from
// the time that the pipeline takes.
func TestServerKilledAtMoments(t *testing.T) {
	server := startCrashable(t)
	begun := time.Now()
	allPoints(t, server.connect)
	took := time.Since(begun) / 2 // the run and what comes before and after it
	var count faults.Count
	first := seed(t) + 30_000
	for n := range crashes(t) {
		trialSeed := first + uint64(n)
		after := time.Duration(rand.New(rand.NewPCG(trialSeed, 1)).Int64N(int64(took)))
		trial := begin(t, server.connect, trialSeed)
		trial.Writers.Late.Store(n%2 == 0)
		crashed := make(chan error)
		time.AfterFunc(after, func() { crashed <- server.crash(context.WithoutCancel(t.Context())) })
		got, err := archive.Run(t.Context(), trial.Config())
		if err := <-crashed; err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: killed after %v: state %q, %v", trialSeed, after, got.State, err)
		conclude(t, trial, trialSeed, &count)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%v", count)
}
