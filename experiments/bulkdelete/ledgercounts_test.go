package bulkdelete

import (
	"testing"

	"deletecost/runner"
)

// Counts of the same way are held against one another to the end, those of a
// DELETE with the other VACUUM only up to it.
func TestCountsThatDiffer(t *testing.T) {
	with := func(w ledgerWay, foreground, vacuum int64) *ledgerRun {
		return &ledgerRun{way: w, costs: map[string]cost{itemForeground: {walBytes: foreground}, itemVacuum: {walBytes: vacuum}}}
	}
	records := func(r *ledgerRun, n int64) *ledgerRun {
		r.charge(itemForeground, cost{walRecords: n})
		return r
	}
	plain, bare, truncate := deleted(everything), bareDeleted(everything), ledgerWays(1000)[2]
	for _, test := range []struct {
		name string
		runs [][]*ledgerRun
		want any
	}{
		{"once", [][]*ledgerRun{{with(truncate, 1, 2)}}, runner.NA{Reason: "executed once"}},
		{"twice the same", [][]*ledgerRun{{with(truncate, 1, 2), with(truncate, 1, 2)}}, true},
		{"another VACUUM of the same way", [][]*ledgerRun{{with(plain, 1, 2), with(plain, 1, 3)}}, "no: bytes of VACUUM"},
		{"the third differs", [][]*ledgerRun{{with(plain, 1, 2), with(plain, 1, 2), with(plain, 4, 5)}}, "no: bytes of foreground; bytes of VACUUM"},
		{"the other VACUUM of a DELETE", [][]*ledgerRun{{with(plain, 1, 2)}, {with(bare, 1, 9)}}, true},
		{"a record more, and another one less", [][]*ledgerRun{{with(plain, 1, 2), records(with(plain, 1, 2), 1), records(with(plain, 1, 2), -1)}}, "no: records of foreground"},
		{"another DELETE", [][]*ledgerRun{{with(plain, 1, 2)}, {with(bare, 3, 9)}}, "no: bytes of foreground"},
		{"TRUNCATE is no DELETE", [][]*ledgerRun{{with(truncate, 1, 2)}, {with(bare, 1, 2)}}, runner.NA{Reason: "executed once"}},
	} {
		if got := countsEqual(test.runs[0], test.runs); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
