package bulkdelete

import (
	"context"
	"strconv"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// publishedKnobs: 20,000 rows, seven a page, fill 2,857 pages and one row of
// another.
func publishedKnobs() runner.Values {
	return runner.Values{"rows": 20_000, "trials": 1, "trial_arms": 2, "naptime_s": 1, "cost_delay_ms": 0, "autovacuum_wait_s": 60}
}

// onSource runs a part that finds on every claim of the source.
func onSource(t *testing.T, version string, knobs runner.Values, part func(context.Context, *bench) error) (*runner.Folder, runner.Tables) {
	t.Helper()
	e := &runner.Experiment{Name: "bulkdelete", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		return part(ctx, &bench{lab: lab, out: out})
	}}
	f, err := testrun.Run(t, e, version, knobs)
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Tables(e.Name)
}

// expect compares cells of the first row with the given words.
func expect(t *testing.T, table *runner.Table, where, cells map[string]string) {
	t.Helper()
	for column, want := range cells {
		if got := testrun.Text(t, table, column, where); got != want {
			t.Errorf("%s, %v: %s is %q, want %q", table.Name, where, column, got, want)
		}
	}
}

// whole reads a cell as a whole number.
func whole(t *testing.T, table *runner.Table, where map[string]string, column string) int64 {
	t.Helper()
	text := testrun.Text(t, table, column, where)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s, %v: %s is %q, want a whole number", table.Name, where, column, text)
	}
	return n
}

// verdicts are the verdicts by claim.
func verdicts(t *testing.T, f *runner.Folder) map[string]runner.Outcome {
	t.Helper()
	outcomes, err := f.AllOutcomes()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]runner.Outcome{}
	for _, o := range outcomes {
		by[o.Claim.ID] = o
	}
	return by
}

func TestPublishedOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			f, tables := onSource(t, version, publishedKnobs(), func(ctx context.Context, b *bench) error { return b.published(ctx) })
			testDelete(t, tables)
			testDeferred(t, tables)
			testTrials(t, tables)
			by := verdicts(t, f)
			for _, claim := range []string{"s3.deferred_select", "s3.deferred_vacuum"} {
				if by[claim].Verdict != runner.Reproduced {
					t.Errorf("%s: %s, want reproduced: %s", claim, by[claim].Verdict, by[claim].Why)
				}
			}
			for _, claim := range []string{"s3.wal_bytes", "s3.redrock_undo", "s3.redrock_time"} {
				if by[claim].Verdict != runner.NotMeasured {
					t.Errorf("%s: %s, want not measured at 20,000 rows and on a stock server", claim, by[claim].Verdict)
				}
			}
		})
	}
}

// testDelete: 54 bytes a row; 2,858 pages of the heap and one of the visibility
// map are dirtied; the scan and the map are touched once a page, each row once.
func testDelete(t *testing.T, tables runner.Tables) {
	for _, execution := range []string{"as published", "undisturbed, trial 1"} {
		expect(t, tables["published_delete"], map[string]string{"execution": execution}, map[string]string{
			"rows": "20000", "wal_records": "20000", "wal_bytes": "1080000", "bytes_a_record": "54", "wal_images": "0", "pages_dirtied": "2859", "buffers": "25716"})
	}
	for _, execution := range []string{"as published", "again, fewer rows"} { // of which there are no fewer here
		expect(t, tables["published_size"], map[string]string{"execution": execution}, map[string]string{"rows": "20000", "heap_pages": "2858", "expected_pages": "2858", "table_size_pretty": "22 MB"})
	}
}

// testDeferred: the SELECT prunes each full page, with a record, and sets a
// hint bit on the last one, without.
func testDeferred(t *testing.T, tables runner.Tables) {
	for _, execution := range []string{"as published", "again, fewer rows"} {
		expect(t, tables["published_deferred"], map[string]string{"execution": execution, "statement": firstSelect}, map[string]string{"pages_dirtied": "2858", "wal_records": "2857", "prune_records": "2857", "hint_images": "0"})
		expect(t, tables["published_deferred"], map[string]string{"execution": execution, "statement": secondSelect}, map[string]string{"pages_dirtied": "0", "wal_records": "0", "wal_bytes": "0"})
		expect(t, tables["published_reuse"], map[string]string{"execution": execution, "moment": "after VACUUM"}, map[string]string{"pages_added": "0"})
	}
	expect(t, tables["published_reuse"], map[string]string{"moment": "after VACUUM"}, map[string]string{"pages_added": "0"})
	expect(t, tables["published_reuse_indexed"], map[string]string{"moment": "after VACUUM"}, map[string]string{"heap_pages_added": "0", "index_pages_added": "0", "heap_pages": "45", "index_pages": "30"})
	if n := whole(t, tables["published_reuse_indexed"], map[string]string{"moment": "before VACUUM"}, "heap_pages_added"); n < 39 { // 9,000 rows, 226 a page, fewer than one page of them where there was room
		t.Errorf("the INSERT before VACUUM added %d pages to the heap, want at least 39", n)
	}
	reuse := tables["published_reuse"]
	if n := whole(t, reuse, map[string]string{"moment": "before VACUUM"}, "pages_added"); n != 28 { // 200 rows; 6 fit the last page, 194 need 28
		t.Errorf("the INSERT before VACUUM added %d pages, want 28", n)
	}
}

// testTrials: VACUUM accounts for every page and row, and a table whose pages
// it all had keeps the three pages of its free space map.
func testTrials(t *testing.T, tables runner.Tables) {
	trials := tables["autovacuum_trials"]
	for _, arm := range []string{undisturbed, sizeAsked} {
		at := map[string]string{"arm": arm}
		number := func(column string) int64 { return whole(t, trials, at, column) }
		if pages, rows := number("pages_removed")+number("pages_remaining"), number("rows_removed")+number("rows_missed"); pages != 2858 || rows != 20_000 {
			t.Errorf("%s: %d pages and %d rows, want 2,858 and 20,000", arm, pages, rows)
		}
		if number("pages_missed") == 0 {
			expect(t, trials, at, map[string]string{"size_after_bytes": "24576", "pages_remaining": "0"})
		}
	}
	expect(t, trials, map[string]string{"arm": undisturbed}, map[string]string{"answers_between": runner.NotAvailable})
	if n := len(tables["size_answers"].Rows); n == 0 {
		t.Error("nobody was told the size")
	}
	timeline := tables["size_timeline"]
	if first := timeline.Text(0, "heap_bytes"); first != strconv.Itoa(2858*8192) {
		t.Errorf("the table's files had %s bytes at first, want 2,858 pages", first)
	}
}

// Counts that should be equal and are not are all shown, with a warning.
func TestExactCountsThatDiffer(t *testing.T) {
	e := &runner.Experiment{Name: "exact", Title: "T", Question: "Q?", Run: func(_ context.Context, lab *runner.Lab, out *runner.Result) error {
		s := &sourceRun{bench: &bench{lab: lab, out: out}, deletes: out.Table(deletesTable)}
		for i, bytes := range []int{540, 540, 541} {
			s.deleteRows = append(s.deleteRows, s.deletes.Add(strconv.Itoa(i), 10, 10, bytes, 54, 0, 600, 3, 20, 4, 24, 0, 0.1))
		}
		if refs := s.exact("wal_records"); len(refs) != 1 || refs[0].Row != 0 || refs[0].Label != "" {
			t.Errorf("equal counts: %+v, want the first alone", refs)
		}
		if refs := s.exact("wal_bytes"); len(refs) != 2 || refs[1].Row != 2 || refs[1].Label != "2" {
			t.Errorf("540, 540 and 541 bytes: %+v, want the first and the third", refs)
		}
		if len(out.Warnings) != 1 {
			t.Errorf("warnings %q, want one", out.Warnings)
		}
		return nil
	}}
	if _, err := testrun.Run(t, e, testrun.NoServer, nil); err != nil {
		t.Fatal(err)
	}
}
