package bulkdelete

import "deletecost/runner"

// ledgerTables are those that the ledger writes.
type ledgerTables struct{ items, locks, disk, ways, wal *runner.Table }

var ledgerNames = []runner.Column{
	{Name: "removed", Text: true, Meaning: "which rows went"}, {Name: "way", Text: true}}

var ledgerTable = runner.TableSpec{Name: "ledger", Title: "The ledger: what every way of getting rid of rows costs, item by item",
	Note: "Each way has a table of its own, made alike and frozen, in shared buffers as far as they reach; it begins after a CHECKPOINT and is alone; data checksums and full_page_writes on, the default of PostgreSQL 18. Items are paid in this order, so a later one has less to do because an earlier one has done it. wal_bytes are the statements' own as pg_stat_statements counts them; lsn_bytes have commits, the checkpoint and whatever else the server writes in them and are not exact. VACUUM between batches is part of the job and not deferred. Seconds of one execution: orders of magnitude.",
	Columns: append(ledgerNames[:2:2], []runner.Column{
		{Name: "repeat"}, {Name: "item", Text: true}, {Name: "deferred", Text: true, Meaning: "comes after the rows are gone"},
		{Name: "time_s", Unit: "s"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "counted"}, {Name: "wal_records"}, {Name: "full_page_images"}, {Name: "lsn_bytes", Unit: "bytes", Meaning: "LSN difference"},
		{Name: "pages_dirtied", Unit: "pages"}, {Name: "pages_written", Unit: "pages", Meaning: "by the statement, new pages of a file included, or by the checkpoint; an index build writes past shared buffers and is not counted"}}...)}

var ledgerWaysTable = runner.TableSpec{Name: "ledger_ways", Title: "Every way of getting rid of rows: the sum, the locks, the disk",
	Note: "Of several executions of a way the one with the median sum (of two the faster) and the range of the sums: too few to make ratios of. Locks are those of the foreground: VACUUM takes SHARE UPDATE EXCLUSIVE, and ACCESS EXCLUSIVE while it cuts an empty end off the file. A lock counts from the statement that took it to the end of the commit, of batches in the longest of the transactions; its seconds are the sum of the statements, without the questions that the tool asks between them. Disk is the table with its indexes and its copy, and what the catalogs grew by; the peak has the WAL that was written by then, which the last checkpoint lets go. The same rows are left: a 64-bit hash of each is summed up after the last item and held against a table that no way has touched, or the run fails.",
	Columns: append(ledgerNames[:2:2], []runner.Column{
		{Name: "label", Text: true, Meaning: "way"}, {Name: "rows_removed", Unit: "rows"}, {Name: "rows_left", Unit: "rows"}, {Name: "same_survivors", Text: true}, {Name: "transactions"},
		{Name: "foreground_s", Unit: "s", Meaning: "foreground"}, {Name: "between_s", Unit: "s", Meaning: itemBetween}, {Name: "first_select_s", Unit: "s", Meaning: itemFirst},
		{Name: "second_select_s", Unit: "s", Meaning: itemSecond}, {Name: "vacuum_s", Unit: "s", Meaning: "VACUUM at the end"}, {Name: "checkpoint_s", Unit: "s", Meaning: itemCheckpoint},
		{Name: "deferred_s", Unit: "s", Meaning: "SELECTs, VACUUM at the end, checkpoint"}, {Name: "sum_s", Unit: "s"}, {Name: "repeats"}, {Name: "sum_low_s", Unit: "s", Meaning: "least sum"}, {Name: "sum_high_s", Unit: "s", Meaning: "greatest"},
		{Name: "longest_lock", Text: true, Meaning: "of the foreground, ACCESS SHARE left out"}, {Name: "longest_lock_s", Unit: "s"}, {Name: "strongest_lock", Text: true, Meaning: "of the foreground"}, {Name: "strongest_lock_s", Unit: "s"},
		{Name: "disk_before_bytes", Unit: "bytes"}, {Name: "disk_peak_bytes", Unit: "bytes", Meaning: "with WAL, an LSN difference"}, {Name: "disk_after_bytes", Unit: "bytes"}}...)}

var ledgerWALTable = runner.TableSpec{Name: "ledger_wal", Title: "Every way of getting rid of rows: WAL and pages",
	Note: "Of the same executions as in ledger_ways.csv. Bytes of an item are the statements' own, as pg_stat_statements counts them, and so are the deferred ones and the sum of the counted. What it cannot count shows only in the LSNs: commit records, the headers of WAL pages, the checkpoint's own records, and what is written while a statement is planned or by nobody's statement; LSN differences are therefore not exact and have the range of the executions. counts_equal holds records, images, bytes and dirtied pages of every item but the checkpoint, VACUUM included, against those of the other executions, and of a DELETE against those with the other VACUUM, up to it. It names what differs, and ledger.csv has every execution: an image of a catalog's page is as large as what earlier ways have left in that page. Directly after a checkpoint nearly every page that is touched is written to WAL whole, once; which item touches it first pays.",
	Columns: append(ledgerNames[:2:2], []runner.Column{
		{Name: "label", Text: true, Meaning: "way"}, {Name: "foreground_bytes", Unit: "bytes", Meaning: "foreground"}, {Name: "between_bytes", Unit: "bytes", Meaning: itemBetween},
		{Name: "first_select_bytes", Unit: "bytes", Meaning: itemFirst}, {Name: "second_select_bytes", Unit: "bytes", Meaning: itemSecond},
		{Name: "vacuum_bytes", Unit: "bytes", Meaning: "VACUUM at the end"},
		{Name: "deferred_bytes", Unit: "bytes", Meaning: "SELECTs and VACUUM at the end, counted"}, {Name: "sum_bytes", Unit: "bytes", Meaning: "counted"}, {Name: "uncounted_bytes", Unit: "bytes", Meaning: "not counted, in the LSN difference only"},
		{Name: "lsn_bytes", Unit: "bytes", Meaning: "LSN difference"}, {Name: "lsn_low_bytes", Unit: "bytes", Meaning: "least"}, {Name: "lsn_high_bytes", Unit: "bytes", Meaning: "greatest"},
		{Name: "full_page_images"}, {Name: "pages_dirtied", Unit: "pages"}, {Name: "pages_written", Unit: "pages"}, {Name: "repeats"}, {Name: "counts_equal", Text: true, Meaning: "in all executions"}}...)}

var ledgerLocksTable = runner.TableSpec{Name: "ledger_locks", Title: "Locks on the table while rows are got rid of",
	Note: "As pg_locks showed them inside the transaction after each statement; of a partitioned table those on the whole, not on its partitions. VACUUM's own locks are not in it: SHARE UPDATE EXCLUSIVE, and ACCESS EXCLUSIVE while it cuts an empty end off the file. Seconds are the sum of the statements from the one that took the lock to the commit, without the questions that the tool asks between them; the time until it was granted is in them, and nobody else was there to wait for.",
	Columns: append(ledgerNames[:2:2], []runner.Column{
		{Name: "repeat"}, {Name: "lock", Text: true}, {Name: "taken_by", Text: true, Meaning: "first words of the statement"}, {Name: "held_s", Unit: "s", Meaning: "in the transaction that held it longest"}, {Name: "transactions", Meaning: "that held it"}}...)}

var ledgerDiskTable = runner.TableSpec{Name: "ledger_disk", Title: "Disk over the ledger", Raw: true,
	Note: "First execution. Elapsed is what was measured up to the moment.",
	Columns: append(ledgerNames[:2:2], []runner.Column{
		{Name: "label", Text: true, Meaning: "way"}, {Name: "moment", Text: true}, {Name: "elapsed_s", Unit: "s"}, {Name: "files_bytes", Unit: "bytes", Meaning: "table, indexes, copy"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "LSN difference since the start"}, {Name: "total_bytes", Unit: "bytes", Meaning: "both"}}...)}

func (l *ledgerBook) startTables() {
	l.lines = ledgerTables{items: l.out.Table(ledgerTable), locks: l.out.Table(ledgerLocksTable), disk: l.out.Table(ledgerDiskTable)}
}
