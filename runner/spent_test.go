package runner

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
	"deletecost/runner/waiting"
)

// account is 10 s before, 60 s in one experiment and 5 s of report.
func account() Record {
	return Record{Account: &Account{Before: Spent{Seconds: 10}, Report: Spent{Seconds: 5}, Memory: 100 << 20},
		Experiments: []Outline{{Experiment: "e", Phases: &Phases{Setup: Spent{Seconds: 20, Servers: 3, Answers: 15},
			Measuring: Spent{Seconds: 39, Answers: 30, Background: 6, Pauses: 2}, Between: Spent{Seconds: 1}}}}}
}

func TestSpentIsTheWholeRun(t *testing.T) {
	all, known := account().Spent()
	if want := (Spent{Seconds: 75, Servers: 3, Answers: 45, Background: 6, Pauses: 2}); all != want || !known {
		t.Errorf("got %+v, want %+v", all, want)
	}
	if all.PostgreSQL() != 54 || all.Own() != 19 || Share(54, 75) != 72 {
		t.Errorf("PostgreSQL %v, own %v, share %v, want 54, 19 and 72 %%", all.PostgreSQL(), all.Own(), Share(54, 75))
	}
	want := "Of 75.0 s the tool waited for PostgreSQL in 72.0 % (answers 60.0 %, servers that start and stop 4.0 %, background work 8.0 %) and on purpose in 2.7 %; 25.3 % were its own work, with at most 100 MiB of memory."
	if got := spentText(account()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := spentText(Record{}); got != "" || accountFacts(Record{}) != nil {
		t.Errorf("a record without an account says %q", got)
	}
}

func TestAccountFacts(t *testing.T) {
	got := map[string]string{}
	for _, row := range accountFacts(account()) {
		if _, twice := got[row.key]; twice {
			t.Errorf("%s is there twice", row.key)
		}
		got[row.key] = row.value
	}
	for key, want := range map[string]string{"peak_memory_bytes": "104857600", "time.run.seconds": "75.000", "time.before.own_seconds": "10.000",
		"time.e.setup.servers_seconds": "3.000", "time.e.measuring.background_seconds": "6.000", "time.e.measuring.own_seconds": "1.000",
		"time.e.measuring.waiting_for_postgresql_percent": "92.3", "time.report.seconds": "5.000"} {
		if got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
}

// Time belongs to the step that began last and is not over.
func TestStopwatchChargesTheInnermostStep(t *testing.T) {
	var now time.Duration
	clock := waiting.NewClock(func() time.Duration { return now })
	lab := &Lab{out: &Result{}, progress: func(Event) {}, watch: newStopwatch(clock)}
	now = 1 * time.Second
	outer := lab.Step("outer", 0)
	now = 3 * time.Second
	inner := lab.Setup("inner")
	clock.Begin(waiting.Answers)
	now = 7 * time.Second
	inner.Done()
	now = 15 * time.Second
	clock.End(waiting.Answers)
	outer.Done()
	now = 31 * time.Second
	want := Phases{Between: Spent{Seconds: 17}, Measuring: Spent{Seconds: 10, Answers: 8}, Setup: Spent{Seconds: 4, Answers: 4}}
	if got := lab.watch.stop(); *got != want {
		t.Errorf("got %+v, want %+v", *got, want)
	}
}

// A SELECT pg_sleep(0.2) is 0.2 s of waiting for an answer, and a start and a stop are waiting for servers.
func TestRunCountsWaitingForTheServer(t *testing.T) {
	host := testserver.Host(t, "17")
	begun := time.Now()
	e := half(nil)
	e.Run = func(ctx context.Context, lab *Lab, out *Result) error {
		s, err := lab.Server(ctx, postgres.Options{Name: "s"})
		if err != nil {
			return err
		}
		conn, err := s.Connect(ctx)
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx))
		step := lab.Step("sleep", 0)
		defer step.Done()
		_, err = conn.Exec(ctx, "SELECT pg_sleep(0.2)")
		return err
	}
	f, err := Run(t.Context(), Config{Experiments: []*Experiment{e}, Knobs: map[string]Values{"softdelete": {"n": 2}}, Host: host, Dir: t.TempDir(),
		Record:       Record{Program: "deletecost test", Scale: Laptop, PostgreSQL: Binaries{Version: "17.10"}},
		ProcessStart: begun, Progress: func(Event) {}, Derive: Derive})
	if err == nil || !strings.Contains(err.Error(), "ended without a finding") { // no claim is measured here
		t.Fatal(err)
	}
	wall := time.Since(begun).Seconds()
	p := f.Record.Experiments[0].Phases
	if p.Measuring.Answers < 0.2 || p.Measuring.Answers > p.Measuring.Seconds || p.Setup.Servers <= 0 || p.Between.Servers <= 0 {
		t.Errorf("%+v, want at least 0.2 s for answers in the step, and servers that start in set-up and stop after it", p)
	}
	all, _ := f.Record.Spent()
	if parts := all.PostgreSQL() + all.Pauses + all.Own(); all.Seconds > wall || math.Abs(parts-all.Seconds) > 1e-6 {
		t.Errorf("%v s of %v s, in parts of %v s", all.Seconds, wall, parts)
	}
	if a := f.Record.Account; a.Memory < 1<<20 && a.NoMemory == "" { // not the first run of this process
		t.Errorf("the tool's memory is %d bytes at most", a.Memory)
	}
}
