package bulkdelete

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// TestReplica: 5,000 rows in batches of 1,000 are 5 transactions; a deleted
// row is at least 54 bytes of WAL; what only takes files away writes less than a
// page and a half for each relation, and swapping writes the 555 rows that stay,
// of 1,024 bytes with an index, at the most twice, and not the 5,000. A line ends
// where the standby has told of all, but for the 40 bytes of a page's head.
func TestReplica(t *testing.T) {
	for _, version := range []string{"16", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onAsides(t, version, asideKnobs(), func(a *asides) []func(context.Context) error {
				return []func(context.Context) error{a.replica}
			})
			if err != nil {
				t.Fatal(err)
			}
			lags := tables["replica_lag"]
			for i, want := range []struct{ transactions, least, most float64 }{
				{1, 5000 * 54, 5000 * 200}, {5, 5000 * 54, 5000 * 200}, {1, 1, 3 * 8192}, {1, 1, 6 * 8192}, {1, 1, 555 * 2048},
			} {
				where := map[string]string{"way": replicaWays[i].name}
				if got := testrun.Number(t, lags, "transactions", where); got != want.transactions {
					t.Errorf("%s: %v transactions, want %v", replicaWays[i].name, got, want.transactions)
				}
				if got := testrun.Number(t, lags, "wal_bytes", where); got < want.least || got > want.most {
					t.Errorf("%s wrote %v bytes of WAL, want %v to %v", replicaWays[i].name, got, want.least, want.most)
				}
				if got := lastLook(t, tables["replica_samples"], replicaWays[i].name); got > 40 {
					t.Errorf("%s: the line ends with %v bytes that were not replayed", replicaWays[i].name, got)
				}
			}
			if text, err := outline.Answer[0].In(tables); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if n := len(outline.Servers); n != 2 {
				t.Errorf("%d servers, want the primary and its standby", n)
			}
		})
	}
}

// lastLook is what was not replayed at a way's last look.
func lastLook(t *testing.T, samples *runner.Table, way string) (bytes float64) {
	t.Helper()
	bytes = math.Inf(1) // without a look
	for row := range samples.Rows {
		if samples.Text(row, "way") == way {
			n, err := strconv.ParseFloat(samples.Text(row, "unreplayed_bytes"), 64)
			if err != nil {
				t.Fatal(err)
			}
			bytes = n
		}
	}
	return bytes
}

// Each batch is a transaction, and none goes past its end into the next.
func TestBatches(t *testing.T) {
	sql := inBatches(2500, 1000)
	if n := strings.Count(sql, "BEGIN; DELETE FROM t_replica WHERE id BETWEEN "); n != 3 {
		t.Errorf("%d batches of 1,000 in 2,500 rows, want 3: %s", n, sql)
	}
	for _, want := range []string{"BETWEEN 1 AND 1000;", "BETWEEN 1001 AND 2000;", "BETWEEN 2001 AND 3000;"} {
		if !strings.Contains(sql, want) {
			t.Errorf("no batch %q in %s", want, sql)
		}
	}
}
