package bulkdelete

import "testing"

// Places in lockModes.
const (
	accessShare, rowExclusive, shareLock, accessExclusive = 0, 2, 4, 7
)

func TestLongestAndStrongestLock(t *testing.T) {
	for _, test := range []struct {
		name               string
		transactions       [][]heldLock
		longest, strongest string
		seconds            float64
		times              int
	}{
		{"batches: the longest of them", [][]heldLock{{{mode: rowExclusive, seconds: 1}}, {{mode: rowExclusive, seconds: 3}}, {{mode: rowExclusive, seconds: 2}}}, "ROW EXCLUSIVE", "ROW EXCLUSIVE", 3, 3},
		{"a copy and its swap", [][]heldLock{{{mode: shareLock, seconds: 9}, {mode: accessExclusive, seconds: 1}}}, "SHARE", "ACCESS EXCLUSIVE", 9, 1},
		{"two as long: the stronger", [][]heldLock{{{mode: shareLock, seconds: 2}, {mode: accessExclusive, seconds: 2}}}, "ACCESS EXCLUSIVE", "ACCESS EXCLUSIVE", 2, 1},
		{"reading keeps nobody out", [][]heldLock{{{mode: accessShare, seconds: 5}, {mode: rowExclusive, seconds: 4}}}, "ROW EXCLUSIVE", "ROW EXCLUSIVE", 4, 1},
	} {
		book := lockBook{}
		for _, held := range test.transactions {
			book.add(held)
		}
		if got := book.longest(); got.name() != test.longest || got.seconds != test.seconds || got.times != test.times {
			t.Errorf("%s: longest %s for %v s in %d transactions, want %s, %v, %d", test.name, got.name(), got.seconds, got.times, test.longest, test.seconds, test.times)
		}
		if got := book.strongest().name(); got != test.strongest {
			t.Errorf("%s: strongest %s, want %s", test.name, got, test.strongest)
		}
	}
}
