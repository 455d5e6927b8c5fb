package retention

import (
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

func TestRetentionOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			f, tables, err := measure(t, version, Experiment().ValuesAt(runner.Smoke), nil)
			if err != nil {
				t.Fatal(err)
			}
			testRuns(t, tables["runs"])
			testVerdicts(t, f)
			testRefusals(t, tables["refusals"])
			testTurns(t, tables["constancy"])
			testAside(t, tables)
			testSentences(t, f, tables)
		})
	}
}

// testRuns: 500 rows a part at smoke scale, so 1,000 rows a table are 2 parts
// of each table, 4 in all, 3,000 are 12 and 10,000 are 40; both methods and all
// loops lose nothing.
func testRuns(t *testing.T, runs *runner.Table) {
	for run, parts := range map[string]string{"source-1000-1": "4", "source-1000-2": "4", "source-3000-1": "12", "source-10000-1": "40"} {
		if got := testrun.Text(t, runs, "parts", map[string]string{"run": run}); got != parts {
			t.Errorf("%s: %s parts, want %s", run, got, parts)
		}
	}
	for row := range runs.Rows {
		name := runs.Text(row, "run")
		for column, want := range map[string]string{"zero_loss": "yes", "spot_check": "pass", "violations": "0", "unknown": "0"} {
			if got := runs.Text(row, column); got != want && (got != runner.NotAvailable || runs.Text(row, "loop") != "none") {
				t.Errorf("%s: %s is %s, want %s", name, column, got, want)
			}
		}
		if inserts, loop := runs.Text(row, "acknowledged"), runs.Text(row, "loop"); inserts == "0" || (inserts == runner.NotAvailable) != (loop == "none") {
			t.Errorf("%s: %s inserts in the loop %q", name, inserts, loop)
		}
	}
}

// testVerdicts: nothing that is judged at every scale is missed, and growth,
// rates and bytes a row, for which these sizes are too small, are not measured.
func testVerdicts(t *testing.T, f *runner.Folder) {
	outcomes, err := f.AllOutcomes()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, o := range outcomes {
		if o.Claim.Experiment != "retention" {
			continue
		}
		seen++
		want := runner.NotMeasured
		if id := o.Claim.ID; id == "s4.zero_loss" || id == "s4.spot_check" {
			want = runner.Reproduced
		}
		if o.Verdict != want {
			t.Errorf("%s: %v, want %v (%s)", o.Claim.ID, o.Verdict, want, o.Why)
		}
	}
	if seen != 20 {
		t.Errorf("%d claims of source s4, want 20", seen)
	}
}

// testTurns: both steps are compared for the large month, 10,000 rows against
// 500, and for the small one against itself, which has no slope.
func testTurns(t *testing.T, constancy *runner.Table) {
	for _, step := range []string{"detach", "drop"} {
		large := map[string]string{"step": step, "arm": largeMonth}
		for column, want := range map[string]string{"rows": "10000", "small_rows": "500", "rows_ratio": "20", "blocks": "12"} {
			if got := testrun.Text(t, constancy, column, large); got != want {
				t.Errorf("%s of the large month: %s is %s, want %s", step, column, got, want)
			}
		}
		if low, high := testrun.Number(t, constancy, "slope_low", large), testrun.Number(t, constancy, "slope_high", large); low >= high {
			t.Errorf("%s: the slope lies between %v and %v", step, low, high)
		}
		if got := testrun.Text(t, constancy, "slope", map[string]string{"step": step, "arm": smallAgain}); got != runner.NotAvailable {
			t.Errorf("%s of one size has the slope %s", step, got)
		}
	}
}

// testRefusals: the codes are PostgreSQL's, appendix A of its documentation.
func testRefusals(t *testing.T, refusals *runner.Table) {
	for what, code := range map[string]string{
		"a default partition":                                "SQLSTATE 55000", // object_not_in_prerequisite_state
		"a foreign key with a row that references the month": "SQLSTATE 23503", // foreign_key_violation
		"the same, plain":                                    "SQLSTATE 23503",
		"inside a transaction":                               "SQLSTATE 25001", // active_sql_transaction
	} {
		if got := testrun.Text(t, refusals, "sqlstate", map[string]string{"what": what}); got != code {
			t.Errorf("%s: %s, want %s", what, got, code)
		}
	}
	if got := testrun.Text(t, refusals, "refused", map[string]string{"what": "a default partition, plain"}); got != "no" {
		t.Errorf("a plain DETACH beside a default partition: refused is %q, want no", got)
	}
}

// testAside: an interrupted detach is pending and can be finished; what is
// dropped leaves no byte and what is deleted leaves pages; DELETE writes a
// record for each row, of at least 54 bytes (FACTS of the bulk delete).
func testAside(t *testing.T, tables runner.Tables) {
	for way, ended := range map[string]string{"CONCURRENTLY": "detached", "plain": "detached", "CONCURRENTLY, interrupted, then FINALIZE": "interrupted, then detached by FINALIZE"} {
		if got := testrun.Text(t, tables["in_the_way"], "ended", map[string]string{"way": way}); got != ended {
			t.Errorf("%s: it was %q, want %q", way, got, ended)
		}
	}
	reader := testrun.Number(t, tables["in_the_way"], "reader_s", map[string]string{"way": "plain"})
	if slowest := testrun.Number(t, tables["in_the_way"], "slowest_insert_s", map[string]string{"way": "plain"}); slowest < reader/2 {
		t.Errorf("the slowest insert behind a plain DETACH took %v s, and the reader stayed for %v s", slowest, reader)
	}
	drop, del := map[string]string{"way": "DETACH CONCURRENTLY and DROP"}, map[string]string{"way": "DELETE and VACUUM"}
	if left := testrun.Number(t, tables["deletion"], "bytes_left", drop); left != 0 {
		t.Errorf("%v bytes are left of what was dropped", left)
	}
	if left := testrun.Number(t, tables["deletion"], "bytes_left", del); left == 0 {
		t.Error("nothing is left of the partition that was deleted from")
	}
	if wal := testrun.Number(t, tables["deletion"], "wal_bytes", del); wal < 2000*54 {
		t.Errorf("DELETE of 2,000 rows wrote %v bytes of WAL", wal)
	}
}

// testSentences: every sentence finds its numbers, and every figure its tables.
func testSentences(t *testing.T, f *runner.Folder, tables runner.Tables) {
	o := f.Record.Experiments[0]
	for _, s := range o.Answer {
		if _, err := s.In(tables); err != nil {
			t.Error(err)
		}
	}
	for _, fig := range o.Figures {
		for _, layer := range fig.Layers {
			if tables[layer.Table] == nil {
				t.Errorf("figure %s draws table %q, which is not there", fig.Name, layer.Table)
			}
		}
	}
}
