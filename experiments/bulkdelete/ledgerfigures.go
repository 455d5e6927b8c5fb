package bulkdelete

import (
	"fmt"

	"deletecost/runner"
)

func (l *ledgerBook) explainLedger() {
	l.out.Explain("The ledger: for every way of getting rid of rows a table of the source's rows with a primary key is made anew, the same each time, vacuumed and frozen as old rows are; the order of the ways is drawn from the seed. A way begins after a CHECKPOINT, so that the first touch of a page writes it to WAL whole. There is no background writer and no autovacuum: a page is written by a statement or by the checkpoint. After the foreground the same four things happen to each: a SELECT that reads all rows, the same again, VACUUM, and a CHECKPOINT, of which the pages are those that the checkpointer tells. They are what is deferred; VACUUM between batches is part of the job. VACUUM without indexes is INDEX_CLEANUP OFF after a DELETE of its own: it leaves the dead rows' line pointers for another time. Rows are scattered by a hash of the id with a threshold that takes exactly as many as the range does. A batch by ctid finds its rows by the condition and LIMIT and deletes them by their place; one by key is told a range of ids. The copy takes SHARE on the table first, which keeps writers but not readers out, since a row that is written while others are copied would be lost, and ACCESS EXCLUSIVE for the swap.")
}

// ledgerFigures show the ledger in time and in WAL, and the disk.
func (l *ledgerBook) ledgerFigures() {
	l.out.Figure(runner.Figure{Name: "ledger_time", Title: "The bill of every way of getting rid of rows, in time",
		HowToRead: "The foreground and VACUUM between batches are the job itself; the other parts are deferred, to readers, VACUUM and the checkpointer. VACUUM between batches does what the other ways leave to the end. Each bar is one execution, that with the median sum where there are several (ledger_ways.csv has their range): orders of magnitude.",
		Layers: []runner.Layer{{Mark: runner.Bar, Table: "ledger_ways", X: "label", Y: "sum_s", Label: "time",
			Parts: []string{"foreground_s", "between_s", "first_select_s", "second_select_s", "vacuum_s", "checkpoint_s"}}}})
	l.out.Figure(runner.Figure{Name: "ledger_wal", Title: "The bill of every way of getting rid of rows, in WAL",
		HowToRead: "Bytes that pg_stat_statements counts, and what is in the LSN difference besides: commit records, headers and the checkpoint. With checksums and full_page_writes on and a checkpoint just before, most of the foreground is images of whole pages. TRUNCATE and DROP write a few catalog pages, however large the table.",
		Layers: []runner.Layer{{Mark: runner.Bar, Table: "ledger_wal", X: "label", Y: "lsn_bytes", Label: "WAL",
			Parts: []string{"foreground_bytes", "between_bytes", "first_select_bytes", "second_select_bytes", "vacuum_bytes", "uncounted_bytes"}}}})
	var layers []runner.Layer
	for _, w := range []ledgerWay{deleted(everything), deleted(mostOfIt), droppedPartition(), swapped(mostOfIt), swapped(share{percent: 10})} {
		layers = append(layers, runner.Layer{Mark: runner.Line, Table: "ledger_disk", X: "elapsed_s", Y: "files_bytes", Label: w.label(), Where: map[string]string{"label": w.label()}})
	}
	l.out.Figure(runner.Figure{Name: "ledger_disk", Title: "Table, indexes and copy on disk while rows go",
		HowToRead: "One point after each item of the ledger, and one before the commit; one execution a line. VACUUM cuts only an empty end of the heap: rows at its front leave no room to the file system. A copy needs its own room beside the table until the commit. Lines end with the last checkpoint.",
		Layers:    layers})
}

// wayRow finds a way's row in a table, -1 where there is none.
func wayRow(t *runner.Table, w ledgerWay) int {
	if row, ok := t.Find(map[string]string{"label": w.label()}); ok {
		return row
	}
	return -1
}

// concludeLedger says how much of the bill came later. No ratio is made of so
// few executions.
func (l *ledgerBook) concludeLedger() {
	ways, wal := l.lines.ways, l.lines.wal
	row, bytes := wayRow(ways, deleted(mostOfIt)), wayRow(wal, deleted(mostOfIt))
	l.out.Conclude(runner.Say("Deleting 90 % of the ledger's rows as one range took {} and {} of counted WAL in the foreground, and {} and {} of counted WAL afterwards, for two SELECTs, VACUUM and a checkpoint; the files kept {} of {}. Its times are those of one execution, out of {}.",
		ways.Ref(row, "foreground_s"), wal.Ref(bytes, "foreground_bytes"), ways.Ref(row, "deferred_s"), wal.Ref(bytes, "deferred_bytes"),
		ways.Ref(row, "disk_after_bytes"), ways.Ref(row, "disk_before_bytes"), ways.Ref(row, "repeats")))
	sum := func(w ledgerWay) (wrote, took runner.Ref) {
		return wal.RefRange(wayRow(wal, w), "lsn_bytes", "lsn_low_bytes", "lsn_high_bytes"), ways.RefRange(wayRow(ways, w), "sum_s", "sum_low_s", "sum_high_s")
	}
	drop, swap := wayRow(ways, droppedPartition()), wayRow(ways, swapped(mostOfIt))
	dropWrote, dropTook := sum(droppedPartition())
	swapWrote, swapTook := sum(swapped(mostOfIt))
	l.out.Conclude(runner.Say("The same rows went with the DROP of a partition for {} of WAL and {} in all, under {} for {}; copying what stays and swapping came to {} and {}, with a {} lock, which keeps writers out, for {}. Locks were timed in one execution, out of {} and {}.",
		dropWrote, dropTook, ways.Ref(drop, "strongest_lock"), ways.Ref(drop, "strongest_lock_s"),
		swapWrote, swapTook, ways.Ref(swap, "longest_lock"), ways.Ref(swap, "longest_lock_s"), ways.Ref(drop, "repeats"), ways.Ref(swap, "repeats")))
	l.out.NotShown("On the ledger: autovacuum itself (VACUUM stands for it), the replica, and sessions that read or write while rows go; what waits behind a lock is not measured, only how long the lock is held.")
	for _, size := range batchSizes {
		if size >= mostOfIt.rows(l.rows) {
			l.out.NotShown(fmt.Sprintf("On the ledger: batches of %d,000 rows, since 90 %% of its %d rows are not more than that; a larger ledger_rows has them.", size/1000, l.rows))
		}
	}
}
