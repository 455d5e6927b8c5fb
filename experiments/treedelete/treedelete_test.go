package treedelete

import (
	"strings"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// measure runs the experiment at smoke scale and reads its folder back.
func measure(t *testing.T, version string) (*runner.Folder, runner.Tables) {
	t.Helper()
	e := Experiment()
	f, err := testrun.Run(t, e, version, e.ValuesAt(runner.Smoke))
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Tables(e.Name)
}

func TestTreeDeleteOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			_, tables := measure(t, version)
			testSweep(t, tables)
			testWays(t, tables)
			testPlans(t, tables)
			testDelays(t, tables)
		})
	}
}

// testSweep: 160 blocks at smoke scale, so 20 to 320 in the sweep, with 2n + 1
// statements each.
func testSweep(t *testing.T, tables runner.Tables) {
	for blocks, statements := range map[string]string{"20": "41", "40": "81", "80": "161", "160": "321", "320": "641"} {
		if got := testrun.Text(t, tables["sweep"], "statements", map[string]string{"blocks": blocks}); got != statements {
			t.Errorf("%s blocks: %s statements, want %s", blocks, got, statements)
		}
	}
	if n := len(tables["first_execution"].Rows); n != 2 {
		t.Errorf("%d rows of first executions, want one a form: 2", n)
	}
}

// testWays: the tree has 20 blocks, so 41 rows. Each deleted block and document
// is looked for twice by a foreign key: once as another row of the same key and
// once as a referenced one. A cascade deletes what it finds instead.
func testWays(t *testing.T, tables runner.Tables) {
	for _, test := range []struct {
		way, sent, executed, roundTrips string
	}{
		{rowPrepared, "41", "41", "41"}, {rowSimple, "41", "41", "41"}, {rowPipelined, "41", "41", "1"},
		{anyArray, "3", "3", "3"}, {setBased, "3", "3", "3"}, {oneCTE, "1", "1", "1"},
		{onCascade, "1", "22", "1"}, // the document, its blocks, and the attributes of each block
		{loopStatic, "1", "41", "1"}, {loopExecute, "1", "41", "1"},
	} {
		for _, mode := range []string{generic, custom} {
			where := map[string]string{"way": test.way, "plan_cache_mode": mode}
			for column, want := range map[string]string{"sent": test.sent, "executed": test.executed, "round_trips": test.roundTrips, "rows": "41"} {
				if got := testrun.Text(t, tables["ways"], column, where); got != want {
					t.Errorf("%s, %s: %s is %s, want %s", test.way, mode, column, got, want)
				}
			}
			if test.way != onCascade {
				if got := testrun.Text(t, tables["ways"], "key_checks", where); got != "42" {
					t.Errorf("%s, %s: %s queries of foreign keys, want 42", test.way, mode, got)
				}
			}
		}
	}
}

// testPlans: what a loop has not is n/a, and the set-based form's triggers fire
// once a block and once for the document.
func testPlans(t *testing.T, tables runner.Tables) {
	for _, column := range []string{"plan", "explain_buffers", "all_buffers", "trigger_s"} {
		if got := testrun.Text(t, tables["plans"], column, map[string]string{"form": "row by row, PL/pgSQL"}); got != runner.NotAvailable {
			t.Errorf("the loop's %s is %q, want n/a", column, got)
		}
	}
	if got := testrun.Text(t, tables["plans"], "trigger_calls", map[string]string{"form": "set-based, all three"}); got != "161" {
		t.Errorf("%s calls of triggers, want 161", got)
	}
	all, explained := testrun.Number(t, tables["plans"], "all_buffers", map[string]string{"form": "set-based, all three"}), testrun.Number(t, tables["plans"], "explain_buffers", map[string]string{"form": "set-based, all three"})
	if all <= explained {
		t.Errorf("%v buffers with triggers and %v without: they must be more", all, explained)
	}
}

// testDelays: a way cannot be faster than the round trips that it waits for.
func testDelays(t *testing.T, tables runner.Tables) {
	d := tables["delays"]
	for row := range d.Rows {
		added, trips, took := cellAt(t, d, row, "added_s"), cellAt(t, d, row, "round_trips"), cellAt(t, d, row, "time_s")
		if took < added*trips {
			t.Errorf("%s: %v s for %v round trips of %v s", d.Text(row, "way"), took, trips, added)
		}
	}
	for _, row := range tables["added_round_trip"].Rows {
		if len(row) != len(delayTable.Columns) {
			t.Errorf("%d cells", len(row))
		}
	}
}

func cellAt(t *testing.T, table *runner.Table, row int, column string) float64 {
	t.Helper()
	c, err := runner.Tables{table.Name: table}.Cell(table.Ref(row, column))
	if err != nil {
		t.Fatal(err)
	}
	v, ok := c.Number()
	if !ok {
		t.Fatalf("%s row %d of %s is %q", column, row, table.Name, c.Text)
	}
	return v
}

// An invalid round trip marks its figures and takes the claims that rest on it.
func TestInvalidRoundTrip(t *testing.T) {
	b := &bench{delays: map[time.Duration]checkedDelay{0: {valid: true}, time.Millisecond: {valid: true}}}
	if got := b.name(incidentDelay); !strings.Contains(got, "invalid") {
		t.Errorf("an unchecked round trip is called %q", got)
	}
	if b.invalid(incidentDelay) == "" || b.invalid(time.Millisecond) != "" || b.name(time.Millisecond) != "1ms" {
		t.Error("only the round trip that missed its mark is invalid")
	}
}

// Knobs that make no sense are refused with their range.
func TestKnobsAreRefused(t *testing.T) {
	e := Experiment()
	for _, test := range []struct{ knob, value, says string }{
		{"blocks", "0", "blocks is 0, outside 80 to 100000"},
		{"round_trip_us", "-1", "round_trip_us is -1, outside 1100 to 100000"},
		{"depth", "9", "depth is 9, outside 2 to 6"},
		{"incident", "perhaps", `incident takes true or false, not "perhaps"`},
	} {
		k, ok := e.Knob(test.knob)
		if !ok {
			t.Fatalf("there is no knob %q", test.knob)
		}
		if _, err := k.Parse(test.value); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s=%s: got %v, want %q", test.knob, test.value, err, test.says)
		}
	}
	if err := e.Check(runner.Values{"blocks": 100, "delay_blocks": 200}); err == nil {
		t.Error("a tree of the round trips that is larger than the document under test was accepted")
	}
}
