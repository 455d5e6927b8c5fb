package bulkdelete

import (
	"strings"
	"testing"
)

// Batches that take all rows at once are no batches: of 60,000 rows the 90 %
// are 54,000, of 5,000 they are 4,500.
func TestBatchesThatAreLeftOut(t *testing.T) {
	for _, test := range []struct {
		rows, batched int
	}{{60_000, 12}, {50_000, 8}, {5000, 4}, {1000, 0}} {
		n := 0
		for _, w := range ledgerWays(test.rows) {
			if w.batch > 0 {
				n++
			}
		}
		if n != test.batched {
			t.Errorf("%d rows: %d ways in batches, want %d", test.rows, n, test.batched)
		}
	}
}

func TestTransactionsOfAWay(t *testing.T) {
	for _, test := range []struct {
		how  string
		want int
	}{{"DELETE", 1}, {"batches of 1,000 by key", 54}, {"batches of 10,000 by ctid", 6}, {"batches of 50,000 by ctid, VACUUM between", 2}} {
		for _, w := range ledgerWays(60_000) {
			if w.share == mostOfIt && w.how == test.how {
				if got := w.transactions(60_000); got != test.want {
					t.Errorf("%s: %d transactions, want %d", test.how, got, test.want)
				}
			}
		}
	}
}

// No two ways have one label, since tables and figures find them by it.
func TestLabelsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range ledgerWays(60_000) {
		if seen[w.label()] {
			t.Errorf("two ways are called %q", w.label())
		}
		seen[w.label()] = true
	}
	if len(seen) != 28 {
		t.Errorf("%d ways, want 28", len(seen))
	}
}

// The copy locks the table before it reads it, and again before the swap.
func TestStatementsOfTheSwap(t *testing.T) {
	all := swapped(mostOfIt).sql("id <= 9", 1, 9)
	if len(all) != 8 || all[0] != "LOCK TABLE t_large IN SHARE MODE" || !strings.Contains(all[2], "WHERE NOT (id <= 9)") || all[4] != "LOCK TABLE t_large IN ACCESS EXCLUSIVE MODE" {
		t.Errorf("statements %q", all)
	}
	if got := batchedWays(60_000)[1].sql("id <= 9", 3, 4); len(got) != 1 || got[0] != "DELETE FROM t_large WHERE id BETWEEN 3 AND 4" {
		t.Errorf("a batch by key: %q", got)
	}
}
