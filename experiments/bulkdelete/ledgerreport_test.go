package bulkdelete

import (
	"context"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// The parts of a way's WAL make its LSN difference, and the counted ones their
// sum; a COMMIT's record is never counted, so something is left. It is also not
// yet in the WAL before the commit.
func TestLedgerWALAddsUp(t *testing.T) {
	tables, err := onLedger(t, "18", runner.Values{"ledger_rows": ledgerRows, "ledger_repeats": 2}, ledgerPart)
	if err != nil {
		t.Fatal(err)
	}
	wal := tables["ledger_wal"]
	for row := range wal.Rows {
		where := map[string]string{"label": wal.Text(row, "label")}
		number := func(column string) float64 { return testrun.Number(t, wal, column, where) }
		counted := number("foreground_bytes") + number("deferred_bytes")
		if strings.HasSuffix(where["label"], "VACUUM between") {
			counted += number("between_bytes")
		}
		if counted != number("sum_bytes") || counted+number("uncounted_bytes") != number("lsn_bytes") || number("uncounted_bytes") <= 0 {
			t.Errorf("%s: %v bytes are counted, the sum is %v; %v are not, and the LSN difference is %v", where["label"], counted, number("sum_bytes"), number("uncounted_bytes"), number("lsn_bytes"))
		}
		if n := number("lsn_bytes"); n < number("lsn_low_bytes") || n > number("lsn_high_bytes") {
			t.Errorf("%s: %v is outside of its range", where["label"], n)
		}
	}
	disk := tables["ledger_disk"]
	for _, column := range []string{"elapsed_s", "wal_bytes"} {
		point := func(moment string) float64 {
			return testrun.Number(t, disk, column, map[string]string{"label": "everything: DELETE", "moment": moment})
		}
		if before, commit, after := point("before"), point("before the commit"), point("foreground"); before != 0 || commit <= before || after <= commit {
			t.Errorf("%s: %v before, %v before the commit, %v after it; want each later than the last", column, before, commit, after)
		}
	}
}

// Tables are made between executions; their time is set-up.
func TestLedgerTablesAreSetup(t *testing.T) {
	_, err := onLedger(t, "18", runner.Values{"ledger_rows": 1000, "ledger_repeats": 1}, func(ctx context.Context, b *bench) error {
		err := b.ledger(ctx)
		setups := map[bool]int{}
		for _, s := range b.out.Steps {
			if strings.HasPrefix(s.Name, "the ledger") {
				setups[s.Setup]++
				if s.Seconds <= 0 {
					t.Errorf("%q took %v s", s.Name, s.Seconds)
				}
			}
		}
		if setups[true] != 2 || setups[false] != 1 {
			t.Errorf("steps %v, want one that measures, and in set-up the first table and all others", b.out.Steps)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A way that the ledger does not have is in no row, so that nothing else is
// quoted for it.
func TestRowOfNoWay(t *testing.T) {
	table := &runner.Table{TableSpec: ledgerWaysTable, Rows: [][]string{{"everything", "TRUNCATE", "everything: TRUNCATE"}}}
	if got := wayRow(table, deleted(mostOfIt)); got != -1 {
		t.Errorf("row %d, want -1", got)
	}
	if got := wayRow(table, ledgerWays(1000)[2]); got != 0 {
		t.Errorf("row %d, want 0", got)
	}
}
