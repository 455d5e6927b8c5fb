package retention

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"deletecost/experiments/retention/checker"
	"deletecost/runner"
	"deletecost/runner/postgres"
)

// inLab runs something with a lab of its own on a server with the tables.
func inLab(t *testing.T, do func(context.Context, *bench) error) {
	t.Helper()
	knobs := Experiment().ValuesAt(runner.Smoke)
	part := func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		b := &bench{lab: lab, out: out}
		if err := b.open(ctx); err != nil {
			return err
		}
		defer b.close(ctx)
		return do(ctx, b)
	}
	// Only a whole run finds on every claim.
	if _, _, err := measure(t, "17", knobs, part); err != nil && !strings.Contains(err.Error(), "ended without a finding on") {
		t.Fatal(err)
	}
}

// lines counts the lines of a crew's ledgers that begin with a word.
func lines(t *testing.T, c *crew, word string) int {
	t.Helper()
	n := 0
	for _, path := range c.ledgers {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n += strings.Count("\n"+string(content), "\n"+word+" ")
	}
	return n
}

// Each insert has an intent, an acknowledgement, a latency and a row; the
// checker finds each row in its one place.
func TestWritersKeepTheirLedger(t *testing.T) {
	for _, rate := range []float64{0, 200} {
		inLab(t, func(ctx context.Context, b *bench) error {
			c, err := b.start(ctx, "test", 3, rate)
			if err != nil {
				return err
			}
			sleep(ctx, 300*time.Millisecond)
			if err := c.dismiss(); err != nil {
				return err
			}
			var rows int
			if err := b.conn.QueryRow(ctx, "SELECT count(*) FROM activities_current").Scan(&rows); err != nil {
				return err
			}
			all, dropped := c.samples()
			intents, acks := lines(t, c, "intent"), lines(t, c, "ack")
			if rows == 0 || len(all) != rows || intents != rows || acks != rows || dropped != 0 {
				t.Errorf("%d rows, %d latencies, %d intents, %d acknowledgements", rows, len(all), intents, acks)
			}
			report, err := checker.Check(ctx, b.conn, checker.Places{Ledgers: c.ledgers, Tables: []checker.Table{{Name: "activities", Live: "public.activities"}}})
			if err != nil {
				return err
			}
			if len(report.Violations) != 0 || report.Acknowledged != int64(rows) || report.Unknown != 0 {
				t.Errorf("the checker says: %v", report)
			}
			return nil
		})
	}
}

// A server that stalls cannot hide it: inserts that were due while a lock was
// held count from when they were due. In a closed loop one insert a writer
// shows the stall, in an open one all that were due, also when the writers are
// dismissed before they have caught up.
func TestOpenLoopShowsAStall(t *testing.T) {
	const rate, stall = 100.0, 500 * time.Millisecond
	for loop, least := range map[float64]int{0: 2, rate: 20} {
		inLab(t, func(ctx context.Context, b *bench) error {
			c, err := b.start(ctx, "test", 2, loop)
			if err != nil {
				return err
			}
			sleep(ctx, 50*time.Millisecond)
			if err := postgres.Execute(ctx, b.conn, "BEGIN", "LOCK TABLE activities IN EXCLUSIVE MODE"); err != nil {
				return err
			}
			sleep(ctx, stall)
			if err := postgres.Execute(ctx, b.conn, "COMMIT"); err != nil {
				return err
			}
			if err := c.dismiss(); err != nil {
				return err
			}
			all, _ := c.samples()
			late := 0
			for _, s := range all {
				if s.seconds() > stall.Seconds()/2 {
					late++
				}
			}
			// 100 a second for half of the half second are 25 inserts that wait
			// for over half of it; in the closed loop there is one a writer.
			if late < least || loop == 0 && late > 2 {
				t.Errorf("rate %v: %d inserts show the stall, want %d", loop, late, least)
			}
			return nil
		})
	}
}

// A writer whose insert fails says so when it is dismissed, and has no
// acknowledgement of it.
func TestWriterThatFailsIsHeard(t *testing.T) {
	inLab(t, func(ctx context.Context, b *bench) error {
		if err := postgres.Execute(ctx, b.conn, "ALTER TABLE activities ADD CHECK (seq < 3)"); err != nil {
			return err
		}
		c, err := b.start(ctx, "test", 1, 0)
		if err != nil {
			return err
		}
		c.waiting.Wait()
		if err := c.dismiss(); err == nil || !strings.Contains(err.Error(), "inserting an activity") {
			t.Errorf("got %v, want the writer's error", err)
		}
		if intents, acks := lines(t, c, "intent"), lines(t, c, "ack"); intents != 3 || acks != 2 {
			t.Errorf("%d intents and %d acknowledgements, want 3 and 2", intents, acks)
		}
		return nil
	})
}
