package faults_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"deletecost/experiments/retention/archive"
	"deletecost/experiments/retention/faults"
	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// The size of a trial: two parts a table.
const (
	monthRows = 150
	writers   = 2
)

// seed is the first seed of a test's trials; the others follow it. It can be
// given in the environment, to look at one trial again or at more of them.
func seed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("DELETECOST_FAULT_SEED")
	if text == "" {
		return 1234
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// stride is how many failpoints lie between two that are tried: usually so many,
// so that the tests end soon, or what DELETECOST_FAULT_STRIDE says. With 1 all
// are tried, which takes some minutes.
func stride(t *testing.T, usually int) int {
	t.Helper()
	text := os.Getenv("DELETECOST_FAULT_STRIDE")
	if text == "" {
		return usually
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DELETECOST_FAULT_STRIDE is %q, want a number from 1 on", text)
	}
	return n
}

// tried are the failpoints that a test tries, from one of them on. The seed
// says where among the first stride to begin, so that over the seeds all are.
func tried(t *testing.T, points []string, from, usually int) (numbers []int) {
	t.Helper()
	step := stride(t, usually)
	for at := from + int(seed(t)%uint64(step)); at <= len(points); at += step {
		numbers = append(numbers, at)
	}
	return numbers
}

// errKilled is what a failpoint says instead of killing the process.
var errKilled = errors.New("killed by a failpoint")

// A tripwire fails at one failpoint, counted from 1, and remembers all names.
type tripwire struct {
	at  int // 0: never
	act func() error

	mu    sync.Mutex
	names []string
}

// pass is archive.Config.Fail.
func (w *tripwire) pass(name string) error {
	w.mu.Lock()
	w.names = append(w.names, name)
	hit := len(w.names) == w.at
	w.mu.Unlock()
	if !hit {
		return nil
	}
	return w.act()
}

// name is the failpoint that was hit; empty when there were fewer.
func (w *tripwire) name() string {
	if w.at < 1 || w.at > len(w.names) {
		return ""
	}
	return w.names[w.at-1]
}

// start starts a server for the trials. Its fsync is off: nothing here ends the
// machine, and the kernel keeps what a killed process wrote.
func start(t *testing.T) *postgres.Server {
	t.Helper()
	server, err := testserver.Host(t, "17").Start(t.Context(), postgres.Options{Settings: map[string]string{"fsync": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// begin makes a trial that is removed at the end of the test.
func begin(t *testing.T, connect faults.Connect, seed uint64) *faults.Trial {
	t.Helper()
	trial, err := faults.Begin(t.Context(), faults.Setup{Connect: connect, Folder: t.TempDir(), Seed: seed, Rows: monthRows, Writers: writers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { trial.Writers.Stop() })
	return trial
}

// conclude finishes a trial after its fault and counts it: at the fault and at
// the end every row must be in exactly one place, and the loaded rows in the
// archive with their values.
func conclude(t *testing.T, trial *faults.Trial, seed uint64, count *faults.Count) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	amid, err := trial.Check(ctx)
	if err != nil || len(amid.Violations) > 0 {
		t.Errorf("seed %d: after the fault: %v, %v", seed, amid, err)
	}
	count.Violations += len(amid.Violations)
	runs, err := trial.Finish(ctx)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	last, err := trial.End(ctx)
	if err != nil || len(last.Violations) > 0 || last.Archived < 2*monthRows || last.Detached > 0 {
		t.Errorf("seed %d: at the end: %v, %v; want the months archived", seed, last, err)
	}
	if err := trial.Compare(ctx); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	count.Add(seed, runs, last)
	if err := trial.Remove(); err != nil {
		t.Error(err)
	}
}

// allPoints runs the pipeline without a fault and returns its failpoints.
func allPoints(t *testing.T, connect faults.Connect) []string {
	t.Helper()
	trial := begin(t, connect, 1)
	wire := &tripwire{}
	cfg := trial.Config()
	cfg.Fail = wire.pass
	if got, err := archive.Run(t.Context(), cfg); err != nil || got.State != archive.StateDropped {
		t.Fatalf("without a fault: %+v, %v", got.State, err)
	}
	var none faults.Count
	conclude(t, trial, 1, &none)
	if len(wire.names) < 20 {
		t.Fatalf("there are %d failpoints, want one around every step and file operation: %q", len(wire.names), wire.names)
	}
	return wire.names
}

// reached is the number of the first failpoint with the words.
func reached(t *testing.T, points []string, words string) int {
	t.Helper()
	at := slices.IndexFunc(points, func(name string) bool { return strings.HasSuffix(name, words) })
	if at < 0 {
		t.Fatalf("no failpoint is called %q: %q", words, points)
	}
	return at + 1
}

// onceAt acts at the first failpoint with the words.
func onceAt(words string, act func() error) func(name string) error {
	var once sync.Once
	return func(name string) (err error) {
		if strings.HasSuffix(name, words) {
			once.Do(func() { err = act() })
		}
		return err
	}
}
