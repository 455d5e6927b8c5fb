package bulkdelete

import (
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// ranFor is a run whose foreground took so many seconds, VACUUM between its
// batches two more and VACUUM at the end one.
func ranFor(seconds float64) *ledgerRun {
	return &ledgerRun{costs: map[string]cost{itemForeground: {seconds: seconds, difference: 100}, itemBetween: {seconds: 2, difference: 20}, itemVacuum: {seconds: 1, difference: 7}}, locks: lockBook{}}
}

// The run that is shown is the median one, whose parts add up: of 5, 3 and 4
// seconds that of 4 + 2 + 1; of two the faster. VACUUM between is not deferred.
func TestMiddleRun(t *testing.T) {
	if got := middleRun([]*ledgerRun{ranFor(5), ranFor(3), ranFor(4)}).sum(ledgerItems...).seconds; got != 7 {
		t.Errorf("the median of 8, 6 and 7 s is shown as %v s", got)
	}
	if got := middleRun([]*ledgerRun{ranFor(5), ranFor(3)}).sum(ledgerItems...).seconds; got != 6 {
		t.Errorf("of 8 and 6 s %v s is shown, want the lower", got)
	}
	r := ranFor(5)
	if d := r.deferred(); d.seconds != 1 || d.difference != 7 {
		t.Errorf("%v s and %d bytes are deferred, want VACUUM's 1 and 7", d.seconds, d.difference)
	}
}

// The peak has the WAL of before the checkpoint in it, the end has none.
func TestPeakOfDisk(t *testing.T) {
	r := &ledgerRun{disk: []diskPoint{{moment: "before", files: 100}, {moment: "before the commit", files: 190, wal: 95}, {moment: itemForeground, files: 90, wal: 96}, {moment: itemCheckpoint, files: 90, wal: 1000}}}
	if r.before() != 100 || r.peak() != 285 || r.after() != 90 {
		t.Errorf("before %d, peak %d, after %d; want 100, 190 + 95 and 90", r.before(), r.peak(), r.after())
	}
}

// Main ways are executed as often as the knob says, the others twice; every
// execution has its rows.
func TestLedgerRepeats(t *testing.T) {
	tables, err := onLedger(t, "18", runner.Values{"ledger_rows": 1000, "ledger_repeats": 3}, ledgerPart)
	if err != nil {
		t.Fatal(err)
	}
	ways := tables["ledger_ways"]
	for way, want := range map[string]string{"everything: TRUNCATE": "3", "90 % as one range: copy what stays and swap": "3", "10 % as one range: copy what stays and swap": "2"} {
		where := map[string]string{"label": way}
		if got := testrun.Text(t, ways, "repeats", where); got != want {
			t.Errorf("%s was executed %s times, want %s", way, got, want)
		}
		if low, high := testrun.Number(t, ways, "sum_low_s", where), testrun.Number(t, ways, "sum_high_s", where); low > high {
			t.Errorf("%s: a range from %v to %v", way, low, high)
		}
	}
	if _, ok := tables["ledger"].Find(map[string]string{"way": "TRUNCATE", "repeat": "3", "item": itemCheckpoint}); !ok {
		t.Error("the third execution of TRUNCATE has no checkpoint on the ledger")
	}
	// VACUUM writes images of catalogs' pages, which differ in size.
	if got := testrun.Text(t, tables["ledger_wal"], "counts_equal", map[string]string{"label": "90 % scattered: DELETE"}); got != "yes" && got != "no: bytes of VACUUM" {
		t.Errorf("counts of repeats are equal: %s", got)
	}
}
