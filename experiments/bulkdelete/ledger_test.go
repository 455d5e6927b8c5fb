package bulkdelete

import (
	"context"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// ledgerRows are few; the 90 % are 4,500 rows, so batches of 1,000 are five.
const ledgerRows = 5000

// onLedger runs a part of an experiment that is only the ledger.
func onLedger(t *testing.T, version string, knobs runner.Values, part func(context.Context, *bench) error) (runner.Tables, error) {
	t.Helper()
	e := &runner.Experiment{Name: "ledger", Title: "T", Question: "Q?", Run: func(ctx context.Context, lab *runner.Lab, out *runner.Result) error {
		return part(ctx, &bench{lab: lab, out: out})
	}}
	f, err := testrun.Run(t, e, version, knobs)
	return f.Tables(e.Name), err
}

// ledgerPart is the whole ledger.
func ledgerPart(ctx context.Context, b *bench) error { return b.ledger(ctx) }

func TestLedgerOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, err := onLedger(t, version, runner.Values{"ledger_rows": ledgerRows, "ledger_repeats": 1}, ledgerPart)
			if err != nil {
				t.Fatal(err)
			}
			testLedgerWays(t, tables)
			testLedgerLocks(t, tables)
			testLedgerItems(t, tables)
			testLedgerDisk(t, tables)
			testLedgerBetween(t, tables)
		})
	}
}

// testLedgerWays: every way removed its share of 5,000 rows and left the rest.
func testLedgerWays(t *testing.T, tables runner.Tables) {
	ways := tables["ledger_ways"]
	if n := len(ways.Rows); n != 20 {
		t.Errorf("%d ways, want 20: 4 of everything, 4 with batches of 1,000, and 12 more", n)
	}
	for row := range ways.Rows {
		removed := map[string]string{"everything": "5000", "10 % as one range": "500", "50 % as one range": "2500", "90 % as one range": "4500",
			"10 % scattered": "500", "50 % scattered": "2500", "90 % scattered": "4500"}[ways.Text(row, "removed")]
		if got := ways.Text(row, "rows_removed"); got != removed {
			t.Errorf("%s: %s rows removed, want %s", ways.Text(row, "label"), got, removed)
		}
		if got := ways.Text(row, "same_survivors"); got != "yes" {
			t.Errorf("%s: same survivors: %s", ways.Text(row, "label"), got)
		}
		transactions := "1"
		if strings.Contains(ways.Text(row, "way"), "batches") {
			transactions = "5"
		}
		if got := ways.Text(row, "transactions"); got != transactions {
			t.Errorf("%s: %s transactions, want %s", ways.Text(row, "label"), got, transactions)
		}
	}
}

// testLedgerLocks: PostgreSQL's documentation, "Explicit Locking".
func testLedgerLocks(t *testing.T, tables runner.Tables) {
	for label, want := range map[string][2]string{
		"everything: DELETE":                                         {"ROW EXCLUSIVE", "ROW EXCLUSIVE"},
		"everything: TRUNCATE":                                       {"ACCESS EXCLUSIVE", "ACCESS EXCLUSIVE"},
		"everything: DROP of all partitions":                         {"ACCESS EXCLUSIVE", "ACCESS EXCLUSIVE"},
		"90 % as one range: DROP of the partition":                   {"ACCESS EXCLUSIVE", "ACCESS EXCLUSIVE"},
		"90 % as one range: batches of 1,000 by ctid":                {"ROW EXCLUSIVE", "ROW EXCLUSIVE"},
		"90 % as one range: batches of 1,000 by key, VACUUM between": {"ROW EXCLUSIVE", "ROW EXCLUSIVE"},
		"90 % as one range: copy what stays and swap":                {"SHARE", "ACCESS EXCLUSIVE"},
	} {
		where := map[string]string{"label": label}
		got := [2]string{testrun.Text(t, tables["ledger_ways"], "longest_lock", where), testrun.Text(t, tables["ledger_ways"], "strongest_lock", where)}
		if got != want {
			t.Errorf("%s: longest and strongest lock %v, want %v", label, got, want)
		}
	}
	batches := map[string]string{"way": "batches of 1,000 by key", "lock": "ROW EXCLUSIVE"}
	if n := testrun.Number(t, tables["ledger_locks"], "transactions", batches); n != 5 {
		t.Errorf("%v batches held their lock, want 5", n)
	}
}

// testLedgerBetween: where there is no VACUUM between it has no figure, and
// where there is it is part of the job.
func testLedgerBetween(t *testing.T, tables runner.Tables) {
	for table, column := range map[string]string{"ledger_ways": "between_s", "ledger_wal": "between_bytes"} {
		for row := range tables[table].Rows {
			label := tables[table].Text(row, "label")
			if none := tables[table].Text(row, column) == runner.NotAvailable; none == strings.HasSuffix(label, "VACUUM between") {
				t.Errorf("%s: %s is not available: %v", label, column, none)
			}
		}
	}
	for row := range tables["ledger"].Rows {
		item := tables["ledger"].Text(row, "item")
		want := "yes"
		if item == "foreground" || item == "VACUUM between batches" {
			want = "no"
		}
		if got := tables["ledger"].Text(row, "deferred"); got != want {
			t.Errorf("%s is deferred: %s", item, got)
		}
	}
}

// testLedgerItems: a DELETE's WAL record has 54 bytes without an image, and a
// page that holds 7 rows of 1 kB is written to WAL whole once after a
// checkpoint; the SELECT after it prunes 714 full pages, and the next none.
func testLedgerItems(t *testing.T, tables runner.Tables) {
	items := tables["ledger"]
	where := func(item string) map[string]string {
		return map[string]string{"removed": "everything", "way": "DELETE", "item": item}
	}
	if n := testrun.Number(t, items, "wal_records", where("foreground")); n < ledgerRows {
		t.Errorf("the DELETE wrote %v records, want one a row at least", n)
	}
	if n := testrun.Number(t, items, "wal_bytes", where("foreground")); n < 54*ledgerRows+714*7*1024 {
		t.Errorf("the DELETE wrote %v bytes of WAL, want 54 a row and the rows of all pages", n)
	}
	if n := testrun.Number(t, items, "full_page_images", where("foreground")); n < 715 {
		t.Errorf("the DELETE wrote %v images, want one of each of 715 pages", n)
	}
	if n := testrun.Number(t, items, "wal_records", where("first SELECT")); n < 714 || n > 715 {
		t.Errorf("the first SELECT wrote %v records, want one of each of 714 full pages", n)
	}
	for _, column := range []string{"wal_records", "pages_dirtied"} {
		if n := testrun.Number(t, items, column, where("second SELECT")); n != 0 {
			t.Errorf("the second SELECT: %s is %v, want 0", column, n)
		}
	}
	for _, column := range []string{"wal_bytes", "pages_dirtied", "pages_written"} {
		if got := testrun.Text(t, items, column, where("autovacuum")); got != runner.NotAvailable {
			t.Errorf("autovacuum was not measured and has %s %s", column, got)
		}
	}
	if n := testrun.Number(t, items, "pages_written", map[string]string{"removed": "90 % as one range", "way": "DELETE", "item": "checkpoint"}); n < 643 {
		t.Errorf("the checkpoint wrote %v pages, want the 643 that lost rows at least", n)
	}
	for _, way := range []string{"everything: TRUNCATE", "everything: DROP of all partitions", "90 % as one range: DROP of the partition"} {
		if n := testrun.Number(t, tables["ledger_wal"], "foreground_bytes", map[string]string{"label": way}); n > 16*8192 {
			t.Errorf("%s wrote %v bytes of WAL, want pages of catalogs and not of the table", way, n)
		}
	}
	if got := testrun.Text(t, tables["ledger_wal"], "counts_equal", map[string]string{"label": "everything: DELETE"}); got != "yes" {
		t.Errorf("the counts of two executions of the same DELETE are equal: %s", got)
	}
}

// testLedgerDisk: 5,000 rows are 715 pages and their index about 16. VACUUM of
// a full DELETE gives the whole heap back; forks of its own may have 4 pages.
func testLedgerDisk(t *testing.T, tables runner.Tables) {
	const page = 8192
	number := func(column, label string) float64 {
		return testrun.Number(t, tables["ledger_ways"], column, map[string]string{"label": label})
	}
	if before, after := number("disk_before_bytes", "everything: DELETE"), number("disk_after_bytes", "everything: DELETE"); before-after < 711*page {
		t.Errorf("%v bytes before a full DELETE and %v after its VACUUM, want the heap gone", before, after)
	}
	for _, label := range []string{"everything: DELETE, VACUUM without indexes", "90 % as one range: DELETE"} {
		if n := number("disk_after_bytes", label); n < 715*page {
			t.Errorf("%s: %v bytes after, want the heap's 715 pages kept", label, n)
		}
	}
	if n := number("disk_after_bytes", "90 % as one range: copy what stays and swap"); n < 72*page || n > 120*page {
		t.Errorf("%v bytes after the swap, want 72 pages of 500 rows and a few of the index and catalogs", n)
	}
	if peak, before := number("disk_peak_bytes", "10 % as one range: copy what stays and swap"), number("disk_before_bytes", "everything: DELETE"); peak < before+643*page {
		t.Errorf("%v bytes at the peak of copying 90 %%, want the table's %v and its copy", peak, before)
	}
	for row := range tables["ledger_disk"].Rows {
		if n := tables["ledger_disk"].Text(row, "files_bytes"); strings.HasPrefix(n, "-") {
			t.Errorf("%s, %s: %s bytes", tables["ledger_disk"].Text(row, "label"), tables["ledger_disk"].Text(row, "moment"), n)
		}
	}
}

// A way that removes nothing, or other rows, fails the run.
func TestLedgerRefusesOtherRows(t *testing.T) {
	for _, test := range []struct {
		name, sql, says string
		counted         bool
	}{
		{"nothing", "SELECT 1 WHERE false", "0 rows were deleted, expected 500", true},
		{"nothing that tells", "SELECT 1 WHERE false", "5000 rows are left, expected 4500", false},
		{"other rows", "DELETE FROM t_large WHERE id > 4500", "the ways cannot be compared", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := onLedger(t, "18", runner.Values{"ledger_rows": ledgerRows, "ledger_repeats": 1}, func(ctx context.Context, b *bench) error {
				return b.withLedger(ctx, func(l *ledgerBook) error {
					_, err := l.onTable(ctx, ledgerWay{how: "wrong", share: share{percent: 10}, counted: test.counted, sql: fixed(test.sql)}, 1)
					return err
				})
			})
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
		})
	}
}
