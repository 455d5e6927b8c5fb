package treedelete

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/testrun"
)

// measurePart runs one part on a real server, with round trips that were taken
// for checked, and reads its folder back. Those in wrong missed their mark.
func measurePart(t *testing.T, version string, knobs runner.Values, checked []time.Duration, part func(*bench, context.Context) error, wrong ...time.Duration) (runner.Outline, runner.Tables) {
	t.Helper()
	e := &runner.Experiment{Name: "part", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) (err error) {
		b := newBench(lab, out)
		b.delayRows = out.Table(delayTable)
		for _, delay := range checked {
			cells := make([]any, len(delayTable.Columns))
			for i := range cells {
				cells[i] = delay + 30*time.Microsecond // as long as SELECT 1 takes without
			}
			row := b.delayRows.Add(cells...)
			b.delays[delay] = checkedDelay{valid: !slices.Contains(wrong, delay), at: b.delayRows.RefRange(row, "added_s", "added_low_s", "added_high_s")}
		}
		if b.server, err = lab.Server(ctx, postgres.Options{Name: "part", Settings: settings}); err != nil {
			return err
		}
		return part(b, ctx)
	}}
	f, err := testrun.Run(t, e, version, knobs)
	if err != nil {
		t.Fatal(err)
	}
	return f.Record.Experiments[0], f.Tables(e.Name)
}

func TestCommits(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			outline, tables := measurePart(t, version, runner.Values{"commit_blocks": 12, "round_trip_us": 2900}, []time.Duration{0, incidentDelay}, func(b *bench, ctx context.Context) error {
				if err := b.commits(ctx); err != nil {
					return err
				}
				return deleteAgain(t, b, ctx)
			})
			testCommitParts(t, tables["commit_parts"])
			testCommitArms(t, tables["commit_arms"], tables["commit_flushes"])
			if len(outline.Answer) != 1 {
				t.Fatalf("%d sentences, want 1", len(outline.Answer))
			}
			if _, err := outline.Answer[0].In(tables); err != nil {
				t.Error(err)
			}
		})
	}
}

// deleteAgain: the first row is gone for good, so there is nothing to time.
func deleteAgain(t *testing.T, b *bench, ctx context.Context) error {
	c := &commitRun{bench: b, rows: 10_000}
	if err := c.openArms(ctx, true, "on"); err != nil {
		return err
	}
	defer c.arms[0].session.close(ctx)
	if _, err := c.arms[0].arm().Once(ctx); err == nil || !strings.Contains(err.Error(), "deleting row 1: 0 rows were affected") {
		t.Errorf("deleting a row that is gone ends with %v", err)
	}
	return nil
}

// testCommitParts: the parts add up to the whole, five with a round trip and
// three without, and what is left of 2.9 ms is 2.9 ms less the whole.
func testCommitParts(t *testing.T, parts *runner.Table) {
	sums, wholes, n := map[string]float64{}, map[string]float64{}, map[string]int{}
	for row := range parts.Rows {
		at := parts.Text(row, "round_trip")
		seconds, err := strconv.ParseFloat(parts.Text(row, "seconds"), 64)
		if err != nil {
			t.Fatal(err)
		}
		switch parts.Text(row, "kind") {
		case "part":
			sums[at] += seconds
			n[at]++
		case "whole":
			wholes[at] = seconds
		case "remainder":
			if whole := wholes[at]; math.Abs(seconds+whole-0.0029) > 1e-12 {
				t.Errorf("%v s are left of 2.9 ms beside %v s", seconds, whole)
			}
		}
		low, high := parts.Text(row, "seconds_low"), parts.Text(row, "seconds_high")
		if l, h := partNumber(t, low), partNumber(t, high); l > seconds || seconds > h {
			t.Errorf("%v lies outside of %v to %v", parts.Rows[row], low, high)
		}
	}
	if len(wholes) != 2 {
		t.Fatalf("wholes %v, want one without a round trip and one with", wholes)
	}
	for at, whole := range wholes {
		if math.Abs(sums[at]-whole) > 1e-12 {
			t.Errorf("%s: the parts add up to %v s, the whole is %v s", at, sums[at], whole)
		}
		want := 3
		if !strings.HasPrefix(at, "none") {
			want = 5
		}
		if n[at] != want {
			t.Errorf("%s: %d parts, want %d", at, n[at], want)
		}
	}
}

func partNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// testCommitArms: 12 blocks of 2 executions, and 6 to warm up, each after one
// statement that is not timed: 60 rows an arm, and 20 more that were counted
// without a round trip. Each of those with its own commit and flush is flushed;
// 20 in one transaction need no flush of theirs.
func testCommitArms(t *testing.T, arms, flushes *runner.Table) {
	if len(arms.Rows) != 8 {
		t.Errorf("%d arms, want 8", len(arms.Rows))
	}
	for row := range arms.Rows {
		want := "60"
		if strings.HasPrefix(arms.Text(row, "round_trip"), "none") {
			want = "80"
		}
		if arms.Text(row, "statements") != "24" || arms.Text(row, "deleted") != want {
			t.Errorf("%v: want 24 statements timed and %s rows deleted", arms.Rows[row], want)
		}
	}
	own := testrun.Number(t, flushes, "wal_syncs", map[string]string{"transaction": "its own", "synchronous_commit": "on"})
	one := testrun.Number(t, flushes, "wal_syncs", map[string]string{"transaction": "one around all", "synchronous_commit": "on"})
	if own < 20 || one >= 20 {
		t.Errorf("%v flushes by 20 commits and %v by none", own, one)
	}
}

// The differences 1 to 12 ms of twelve blocks have the median 6.5 ms; ranks 3 and
// 10 of 12 enclose it at 95 %.
func TestCommitDifference(t *testing.T) {
	var first, second [][]float64
	for _, ms := range []float64{7, 1, 12, 4, 9, 2, 11, 5, 8, 3, 10, 6} {
		first, second = append(first, []float64{0.1 + ms/1000}), append(second, []float64{0.1})
	}
	s, err := commitDifference(first, second, nil)
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]float64{"value": {s.seconds, 0.0065}, "low": {s.Low, 0.003}, "high": {s.High, 0.010}} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s is %v s, want %v s", what, pair[0], pair[1])
		}
	}
}

// A round trip that missed its mark is marked wherever it stands, and not
// quoted.
func TestCommitsAtAWrongRoundTrip(t *testing.T) {
	knobs := runner.Values{"commit_blocks": 12, "round_trip_us": 2900}
	outline, tables := measurePart(t, "17", knobs, []time.Duration{0, incidentDelay}, func(b *bench, ctx context.Context) error { return b.commits(ctx) }, incidentDelay)
	marked := 0
	for row := range tables["commit_parts"].Rows {
		if tables["commit_parts"].Text(row, "round_trip") == "2.9ms (invalid)" {
			marked++
		}
	}
	text, err := outline.Answer[0].In(tables)
	if marked != 7 || err != nil || strings.Contains(text, "injected round trip") || len(outline.Warnings) == 0 {
		t.Errorf("%d rows are marked, want 7; the answer is %q, %v; warnings %q", marked, text, err, outline.Warnings)
	}
}
