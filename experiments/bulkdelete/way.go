package bulkdelete

import (
	"fmt"
	"strconv"
)

// A share says which rows a way gets rid of.
type share struct {
	percent   int
	scattered bool // over all pages; otherwise the lowest ids, which lie together
}

func (s share) String() string {
	switch {
	case s.percent == 100:
		return "everything"
	case s.scattered:
		return fmt.Sprintf("%d %% scattered", s.percent)
	}
	return fmt.Sprintf("%d %% as one range", s.percent)
}

// rows are those that go, of all.
func (s share) rows(all int) int { return all * s.percent / 100 }

// everything and mostOfIt are the shares that several ways compete on.
var everything, mostOfIt = share{percent: 100}, share{percent: 90}

// A ledgerWay is one way of getting rid of rows.
type ledgerWay struct {
	how     string
	share   share
	parts   bool // on the partitioned table
	batch   int  // rows a transaction; 0: all in one
	between bool // VACUUM after each batch
	bare    bool // the last VACUUM leaves the indexes alone
	main    bool // executed as often as ledger_repeats says; the others twice at most
	// sql are the statements of one transaction. gone is the condition of the
	// rows that go, first and last are the ids of a batch.
	sql func(gone string, first, last int) []string
	// counted says that the statements' tags tell the rows that went.
	counted bool
}

// label names a way among all.
func (w ledgerWay) label() string { return w.share.String() + ": " + w.how }

// vacuum is the statement that follows in the end.
func (w ledgerWay) vacuum() string {
	if w.bare {
		return "VACUUM (INDEX_CLEANUP OFF) t_large"
	}
	return "VACUUM t_large"
}

// transactions are how many the way takes.
func (w ledgerWay) transactions(rows int) int {
	if w.batch == 0 {
		return 1
	}
	return (w.share.rows(rows) + w.batch - 1) / w.batch
}

// fixed makes a way's statements of words that no batch changes.
func fixed(statements ...string) func(string, int, int) []string {
	return func(string, int, int) []string { return statements }
}

// ledgerWays are all ways, in the order of the tables. Batches that would take
// all rows at once are left out.
func ledgerWays(rows int) []ledgerWay {
	all := []ledgerWay{
		deleted(everything), bareDeleted(everything),
		{how: "TRUNCATE", share: everything, main: true, sql: fixed("TRUNCATE t_large")},
		{how: "DROP of all partitions", share: everything, main: true, parts: true, sql: fixed("DROP TABLE t_large_old, t_large_new")},
	}
	for _, percent := range []int{10, 50, 90} {
		all = append(all, deleted(share{percent: percent}))
		if percent == 90 {
			all = append(all, bareDeleted(mostOfIt), droppedPartition())
			all = append(all, batchedWays(rows)...)
		}
		all = append(all, swapped(share{percent: percent}))
	}
	for _, percent := range []int{10, 50, 90} {
		all = append(all, deleted(share{percent: percent, scattered: true}))
	}
	return append(all, bareDeleted(share{percent: 90, scattered: true}))
}

// deleted is one DELETE.
func deleted(s share) ledgerWay {
	return ledgerWay{how: "DELETE", share: s, main: true, counted: true, sql: func(gone string, _, _ int) []string {
		return []string{"DELETE FROM t_large WHERE " + gone}
	}}
}

// bareDeleted is one DELETE whose VACUUM leaves the index alone.
func bareDeleted(s share) ledgerWay {
	w := deleted(s)
	w.how, w.bare = "DELETE, VACUUM without indexes", true
	return w
}

// droppedPartition drops the one that holds most of the rows.
func droppedPartition() ledgerWay {
	return ledgerWay{how: "DROP of the partition", share: mostOfIt, main: true, parts: true, sql: fixed("DROP TABLE t_large_old")}
}

// swapped copies what stays and swaps.
func swapped(s share) ledgerWay {
	return ledgerWay{how: "copy what stays and swap", share: s, main: s == mostOfIt, sql: func(gone string, _, _ int) []string {
		return ledgerSQL("swap", "gone", gone)
	}}
}

// batchSizes are the rows of a batch.
var batchSizes = []int{1000, 10_000, 50_000}

// batchedWays delete most of it in batches, by ctid and by key, with VACUUM
// after each batch or only at the end.
func batchedWays(rows int) []ledgerWay {
	var all []ledgerWay
	for _, size := range batchSizes {
		if size >= mostOfIt.rows(rows) {
			continue
		}
		for _, between := range []bool{false, true} {
			all = append(all,
				batched("ctid", size, between, func(gone string, first, last int) []string {
					return ledgerSQL("batch_ctid", "gone", gone, "batch_rows", strconv.Itoa(last-first+1))
				}),
				batched("key", size, between, func(_ string, first, last int) []string {
					return ledgerSQL("batch_key", "first_id", strconv.Itoa(first), "last_id", strconv.Itoa(last))
				}))
		}
	}
	return all
}

func batched(by string, size int, between bool, sql func(string, int, int) []string) ledgerWay {
	how := fmt.Sprintf("batches of %d,000 by %s", size/1000, by)
	if between {
		how += ", VACUUM between"
	}
	return ledgerWay{how: how, share: mostOfIt, batch: size, between: between, counted: true, sql: sql}
}
