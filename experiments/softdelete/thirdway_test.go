package softdelete

import (
	"context"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/testrun"
)

// onCorrected runs a part of the experiment after 4 cycles of 1,000 rows of
// which 80 % were removed, in the corrected arm alone. It returns the tables
// and the part's error.
func onCorrected(t *testing.T, version string, part func(context.Context, *bench) error) (runner.Tables, error) {
	t.Helper()
	e := &runner.Experiment{Name: "beyond", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		b := &bench{lab: lab, out: out, at: newRefs()}
		var err error
		if b.server, err = lab.Server(ctx, postgres.Options{Name: "beyond", Settings: settings}); err != nil {
			return err
		}
		a := arm{database: corrected, percent: 80, analyze: true}
		if err := b.createDatabases(ctx, []arm{a}); err != nil {
			return err
		}
		step := lab.Step("churn", 4)
		defer step.Done()
		if err := b.churnArm(ctx, a, out.Table(runner.TableSpec{Name: "bloat", Columns: bloatColumns}), step); err != nil {
			return err
		}
		return part(ctx, b)
	}}
	f, err := testrun.Run(t, e, version, runner.Values{"cycles": 4, "beyond_cycles": 3, "insert": 1000, "remove_percent": 80})
	return f.Tables(e.Name), err
}

// onDatabase executes one statement in a database of the experiment.
func onDatabase(ctx context.Context, b *bench, database, sql string) error {
	conn, err := b.connect(ctx, database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func TestThirdWayOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, err := onCorrected(t, version, func(ctx context.Context, b *bench) error { return b.thirdWay(ctx) })
			if err != nil {
				t.Fatal(err)
			}
			testWays(t, tables)
			testWayScan(t, tables["ways"])
		})
	}
}

// testWays: 3 cycles of 1,000 with 80 % removed leave 600 active rows and
// 2,400 removed ones, whoever holds them.
func testWays(t *testing.T, tables runner.Tables) {
	removed := map[string]string{"hard delete": "n/a", "soft delete": "n/a", "moved to another table": "2400", "partitioned": "2400"}
	for way, want := range removed {
		row := map[string]string{"way": way}
		if got := testrun.Text(t, tables["ways"], "active_rows", row); got != "600" {
			t.Errorf("%s: %s active rows, want 600", way, got)
		}
		if got := testrun.Text(t, tables["ways"], "removed_rows", row); got != want {
			t.Errorf("%s: %s removed rows apart, want %s", way, got, want)
		}
		if got := testrun.Text(t, tables["way_survivors"], "digest", row); got != testrun.Text(t, tables["way_survivors"], "digest", map[string]string{"way": "corrected arm"}) {
			t.Errorf("%s: digest %s differs from that of the corrected arm", way, got)
		}
	}
	if n := len(tables["way_removals"].Rows); n != 12 {
		t.Errorf("%d removals, want 3 cycles of 4 ways: 12", n)
	}
}

// testWayScan: only the soft table has removed rows in the way of a reader;
// the 50th active row lies among 200 active of 1,000 in the newest batch.
func testWayScan(t *testing.T, ways *runner.Table) {
	for _, way := range []string{"hard delete", "moved to another table", "partitioned"} {
		if got := testrun.Text(t, ways, "rows_removed_by_filter", map[string]string{"way": way}); got != "0" {
			t.Errorf("%s: %s rows removed by the filter, want 0", way, got)
		}
	}
	soft := wayNumber(t, ways, "rows_removed_by_filter", "soft delete")
	if soft < 1 || soft > 800 {
		t.Errorf("soft delete: %v rows removed by the filter, want 1 to 800", soft)
	}
	// Hard delete writes a mark of some 54 bytes a row; a move writes the row
	// of some 150 bytes again and two index entries.
	hard := wayNumber(t, ways, "wal_bytes", "hard delete")
	if hard < 2400*54 {
		t.Errorf("hard delete wrote %v bytes of WAL, want at least 54 a row", hard)
	}
	for _, way := range []string{"moved to another table", "partitioned"} {
		if got := wayNumber(t, ways, "wal_bytes", way); got < hard+2400*150 {
			t.Errorf("%s wrote %v bytes of WAL, want at least 150 a row above the %v of hard delete", way, got, hard)
		}
	}
}

func TestThirdWayRefusesOtherRows(t *testing.T) {
	_, err := onCorrected(t, "17", func(ctx context.Context, b *bench) error {
		if err := onDatabase(ctx, b, corrected, "UPDATE "+soft+" SET amount_cents = amount_cents + 1 WHERE id = (SELECT max(id) FROM "+soft+" WHERE deleted_at IS NULL AND id <= 3000)"); err != nil {
			return err
		}
		return b.thirdWay(ctx)
	})
	if err == nil || !strings.Contains(err.Error(), "cannot be compared") {
		t.Errorf("one active row differs from the corrected arm's: error %v", err)
	}
}
