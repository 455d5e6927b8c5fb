package softdelete

import (
	"strconv"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

func testBeyond(t *testing.T, tables runner.Tables) {
	// VACUUM may not remove what an older snapshot could still see: all 2 x 400
	// removed rows stay dead, and go once it has ended.
	held := tables["held_open"]
	if n := testrun.Number(t, held, "n_dead_tup", map[string]string{"moment": "held open"}); n != 800 {
		t.Errorf("%v dead rows under a held snapshot, want 800", n)
	}
	if n := testrun.Number(t, held, "n_dead_tup", map[string]string{"moment": "ended, and VACUUM"}); n != 0 {
		t.Errorf("%v dead rows after it, want 0", n)
	}
	// The same rows in the other order: as many removed by the filter, on fewer pages.
	order := tables["removal_order"]
	random, heap := map[string]string{"order": "random"}, map[string]string{"order": "heap"}
	if a, b := testrun.Number(t, order, "rows_removed_by_filter", random), testrun.Number(t, order, "rows_removed_by_filter", heap); a != b {
		t.Errorf("%v and %v rows removed by the filter, want the same", a, b)
	}
	if a, b := testrun.Number(t, order, "shared_hit_blocks", random), testrun.Number(t, order, "shared_hit_blocks", heap); a <= b {
		t.Errorf("%v buffers in random order and %v in heap order, want fewer in heap order", a, b)
	}
	// PostgreSQL's README.HOT: an update is not HOT when an index's predicate
	// mentions a changed column. With half of each page free all others are.
	hot := tables["hot_updates"]
	for _, c := range []struct {
		fillfactor, partial string
		want                float64
	}{{"50", "no", 400}, {"50", "yes", 0}, {"100", "yes", 0}} {
		if n := testrun.Number(t, hot, "hot_updates", map[string]string{"fillfactor": c.fillfactor, "partial_index": c.partial}); n != c.want {
			t.Errorf("fillfactor %s, partial index %s: %v HOT updates, want %v", c.fillfactor, c.partial, n, c.want)
		}
	}
}

// testHeapMap: shares of a strip sum to 1; the hard table holds no removed row
// that a reader sees, and before VACUUM both have dead ones.
func testHeapMap(t *testing.T, tables runner.Tables) {
	dead := map[string]float64{}
	for i, row := range tables["heap_map"].Rows {
		if row[3] == runner.NotAvailable {
			continue
		}
		sum := 0.0
		for _, part := range heapParts {
			n, err := strconv.ParseFloat(tables["heap_map"].Text(i, part), 64)
			if err != nil || n < 0 || n > 1 {
				t.Errorf("row %d: %s is %q", i, part, tables["heap_map"].Text(i, part))
			}
			sum += n
		}
		if sum < 0.999999 || sum > 1.000001 {
			t.Errorf("row %d: shares sum to %v", i, sum)
		}
		table := tables["heap_map"].Text(i, "table_name")
		if table == hard && tables["heap_map"].Text(i, "removed") != "0" {
			t.Errorf("row %d: removed rows to be seen in the hard table", i)
		}
		n, _ := strconv.ParseFloat(tables["heap_map"].Text(i, "dead"), 64)
		dead[table] += n
	}
	if dead[hard] == 0 || dead[soft] == 0 {
		t.Errorf("dead shares %v, want some of each table before VACUUM", dead)
	}
}

// testUniqueKey: the SQLSTATEs are those of PostgreSQL's appendix A.
func testUniqueKey(t *testing.T, tables runner.Tables) {
	for step, want := range map[string]string{
		"sign up again: the removed row blocks it": "23505 ",
		"a second active account is refused":       "23505 ",
		"ON CONFLICT as before finds no index":     "42P10 ",
		"ON CONFLICT needs the predicate":          "INSERT 0 0",
		"restoring the removed row is refused":     "23505 ",
		"a foreign key cannot point at it":         "42830 ",
	} {
		if got := testrun.Text(t, tables["unique_key"], "outcome", map[string]string{"step": step}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %s", step, got, want)
		}
	}
	if got := testrun.Text(t, tables["unique_key"], "outcome", map[string]string{"key": "partial unique", "step": "sign up again"}); got != "INSERT 0 1" {
		t.Errorf("signing up again under a partial unique index: %q", got)
	}
}
