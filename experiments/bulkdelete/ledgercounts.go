package bulkdelete

import (
	"strings"

	"deletecost/runner"
)

// ledgerCounts are what the server counts exactly of one item.
type ledgerCounts struct{ records, images, bytes, dirtied int64 }

// counts are those of an item; the checkpoint has none.
func (r *ledgerRun) counts(item string) ledgerCounts {
	c := r.costs[item]
	return ledgerCounts{c.walRecords, c.walImages, c.walBytes, c.dirtied}
}

// countsDiffer says which of them were not the same in all executions.
type countsDiffer struct{ records, images, bytes, dirtied bool }

// add holds two executions against each other.
func (d *countsDiffer) add(one, other ledgerCounts) {
	d.records = d.records || one.records != other.records
	d.images = d.images || one.images != other.images
	d.bytes = d.bytes || one.bytes != other.bytes
	d.dirtied = d.dirtied || one.dirtied != other.dirtied
}

// words name them.
func (d *countsDiffer) words() []string {
	var all []string
	for _, count := range []struct {
		name    string
		differs bool
	}{{"records", d.records}, {"images", d.images}, {"bytes", d.bytes}, {"pages", d.dirtied}} {
		if count.differs {
			all = append(all, count.name)
		}
	}
	return all
}

// countsEqual says whether what the server counts came out the same in each
// execution, and where it did not: of a DELETE also in that whose VACUUM leaves
// the indexes alone, up to that VACUUM.
func countsEqual(of []*ledgerRun, runs [][]*ledgerRun) any {
	first, others := of[0], 0
	differing := map[string]*countsDiffer{}
	against := func(all []*ledgerRun, items ...string) {
		others += len(all)
		for _, item := range items {
			if differing[item] == nil {
				differing[item] = &countsDiffer{}
			}
			for _, r := range all {
				differing[item].add(first.counts(item), r.counts(item))
			}
		}
	}
	against(of[1:], ledgerItems...)
	for _, twin := range runs {
		if w := twin[0].way; w.counted && w.batch == 0 && first.way.counted && first.way.batch == 0 && w.share == first.way.share && w.bare != first.way.bare {
			against(twin, itemForeground, itemFirst, itemSecond)
		}
	}
	if others == 0 {
		return runner.NA{Reason: "executed once"}
	}
	var not []string
	for _, item := range ledgerItems {
		if words := differing[item].words(); len(words) > 0 {
			not = append(not, strings.Join(words, ", ")+" of "+item)
		}
	}
	if len(not) > 0 {
		return "no: " + strings.Join(not, "; ")
	}
	return true
}
