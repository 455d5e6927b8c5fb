package softdelete

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// measure runs the experiment on a real server and reads its folder back.
func measure(t *testing.T, version string, changes runner.Values) (*runner.Folder, runner.Tables) {
	t.Helper()
	e := Experiment()
	knobs := e.ValuesAt(runner.Smoke)
	for name, v := range changes {
		knobs[name] = v
	}
	f, err := testrun.Run(t, e, version, knobs)
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Tables(e.Name)
}

func TestSoftDeleteOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			f, tables := measure(t, version, nil)
			testRows(t, tables)
			testRemoved(t, tables)
			testFiles(t, f)
			testBeyond(t, tables)
			testHeapMap(t, tables)
			testUniqueKey(t, tables)
		})
	}
}

// testRows: 2 cycles of 500 with 80 % removed leave 200 rows; the soft table
// keeps all 1,000 as live ones.
func testRows(t *testing.T, tables runner.Tables) {
	if n := len(tables["bloat_over_time"].Rows); n != 4 {
		t.Errorf("%d rows of sizes, want one a cycle and table: 4", n)
	}
	for _, table := range []string{hard, soft} {
		if got := testrun.Text(t, tables["survivors"], "active_rows", map[string]string{"arm": corrected, "table_name": table}); got != "200" {
			t.Errorf("%s: %s active rows, want 200", table, got)
		}
	}
	digests := map[string]bool{}
	for _, table := range []string{hard, soft} {
		digests[testrun.Text(t, tables["survivors"], "digest", map[string]string{"arm": corrected, "table_name": table})] = true
	}
	if len(digests) != 1 {
		t.Error("the corrected arm's tables hold different active rows")
	}
	live := map[string]string{"arm": corrected}
	if h, s := testrun.Text(t, tables["live_rows"], "hard", live), testrun.Text(t, tables["live_rows"], "soft", live); h != "200" || s != "1000" {
		t.Errorf("%s and %s live rows, want 200 and 1000", h, s)
	}
}

// testRemoved: no filter drops a row of the hard table or of the partial
// index; on the full index the scan ends at the 50th of 100 survivors of the
// newest batch, so between 0 and 400 removed rows are passed.
func testRemoved(t *testing.T, tables runner.Tables) {
	plans := tables["explain_summary"]
	for _, file := range []string{"explain_active_rows_hard.txt", "explain_active_rows_soft_partial.txt", "explain_pk_lookup_soft.txt"} {
		if got := testrun.Text(t, plans, "rows_removed_by_filter", map[string]string{"file": file}); got != "0" {
			t.Errorf("%s: %s rows removed by the filter, want 0", file, got)
		}
	}
	text := testrun.Text(t, plans, "rows_removed_by_filter", map[string]string{"file": "explain_active_rows_soft_before_partial.txt"})
	if n, err := strconv.Atoi(text); err != nil || n < 1 || n > 400 {
		t.Errorf("%s rows removed by the filter on the full index, want 1 to 400", text)
	}
	// The source's own query and the draw from the newest batch see the same rows.
	if draw := testrun.Text(t, tables["rows_removed"], "newest", map[string]string{"arm": asPublished}); draw != text {
		t.Errorf("the newest draw is %s, the plan removed %s", draw, text)
	}
}

// testFiles: the names that the source gave its files.
func testFiles(t *testing.T, f *runner.Folder) {
	for _, name := range []string{
		"softdelete/bloat_over_time.csv", "softdelete/query_latency.csv", "softdelete/explain_summary.csv", "softdelete/partial_index_fix.csv",
		"softdelete/explain_pk_lookup_hard.txt", "softdelete/explain_pk_lookup_soft.txt",
		"softdelete/explain_active_rows_hard.txt", "softdelete/explain_active_rows_soft.txt",
		"softdelete/explain_active_rows_soft_before_partial.txt", "softdelete/explain_active_rows_soft_partial.txt",
		"run_metadata.csv", "summary.txt", "claims.csv",
	} {
		if info, err := os.Stat(filepath.Join(f.Dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", name, err)
		}
	}
	for _, o := range f.Record.Experiments {
		if len(o.Findings) != 35 {
			t.Errorf("%d findings, source s1 has 35 claims", len(o.Findings))
		}
	}
}
