package softdelete

import (
	"fmt"

	"deletecost/runner"
)

var purgeTable = runner.TableSpec{Name: "purge", Title: "Purging the oldest half of the soft-deleted rows, corrected arm",
	Note: "Every way deletes the same rows (see purge_survivors.csv) and was timed one time, so its seconds have no range and no ratio is made of them. EXPLAIN counted on a copy of its own, all statements together; LSN differences are of the timed copy, with commits, and not exact.",
	Columns: []runner.Column{word("way", ""), word("plan_nodes", "of the first statement"), {Name: "rows", Unit: "rows", Meaning: "deleted"}, {Name: "statements", Meaning: "each in a transaction of its own"},
		{Name: "seconds", Unit: "s", Meaning: "one time: all statements with their commits"}, {Name: "longest_s", Unit: "s", Meaning: "the longest statement with its commit: how long its rows stay locked"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "as EXPLAIN counts it"}, {Name: "wal_records"}, {Name: "full_page_images", Meaning: "in that WAL"},
		{Name: "lsn_bytes", Unit: "bytes", Meaning: "LSN difference while timed"}, {Name: "shared_buffers", Unit: "buffers", Meaning: "hit and read, as EXPLAIN counts them"},
		{Name: "own_index_bytes", Unit: "bytes", Meaning: "index that was built for this way"},
		{Name: "vacuum_s", Unit: "s", Meaning: "one time: VACUUM after it"},
		{Name: "heap_before_bytes", Unit: "bytes"}, {Name: "heap_after_bytes", Unit: "bytes", Meaning: "after VACUUM, which gives room to later inserts and only an empty end of the heap back to the file system"}}}

var purgeBatchesTable = runner.TableSpec{Name: "purge_batches", Raw: true, Title: "Every batch of the purge by ctid",
	Columns: []runner.Column{{Name: "batch", Meaning: "from 1"}, {Name: "rows", Unit: "rows"}, {Name: "seconds", Unit: "s", Meaning: "with its commit"}, {Name: "lsn_bytes", Unit: "bytes", Meaning: "LSN difference"}}}

var purgeSurvivorsTable = runner.TableSpec{Name: "purge_survivors", Title: "Rows that each purge left",
	Note:    "The digest is SHA-256 over every row that is left, active or removed, with all columns; of one statement it is taken inside its transaction, of the batches after the last. The run fails when the digests differ.",
	Columns: []runner.Column{word("way", ""), {Name: "rows", Unit: "rows", Meaning: "left"}, word("digest", "")}}

func (b *bench) explainPurge() {
	b.out.Explain("Soft-deleted rows are purged on page-by-page copies of the corrected arm, each way on two of its own: one is purged under EXPLAIN (ANALYZE, WAL, BUFFERS), the other is timed without it, alone. The limit ends the oldest half of the batches; created_at and deleted_at are proven to cover the same rows first. The two single statements differ in what they ask: created_at has the index that the application already has, deleted_at a partial index that was built for the purge. A batch finds 1,000 of those rows and deletes them by ctid, in a transaction of its own, without ORDER BY. Half of the table is near the point where a sequential scan looks as cheap as an index, so the plan of a way, and its buffers, may be another one in the next run: ANALYZE takes a random sample. All pages were read into shared buffers first, and no checkpoint ran between the copy and the purge.")
}

// comparePurges holds the survivors of every way against each other and
// writes down what each took.
func (b *bench) comparePurges(limit purgeLimit, done []purged) error {
	survivors, t := b.out.Table(purgeSurvivorsTable), b.out.Table(purgeTable)
	for i, w := range purgeWays {
		p := done[i]
		survivors.Add(w.name, p.rows, p.digest)
		if p.rows != done[0].rows || p.digest != done[0].digest {
			return fmt.Errorf("purging %s left %d rows with the digest %s and %s left %d with %s: they cannot be compared",
				w.name, p.rows, p.digest, purgeWays[0].name, done[0].rows, done[0].digest)
		}
		var index any = runner.NA{Reason: "the way needs no index of its own"}
		if w.index {
			index = p.index
		}
		c := p.counted
		t.Add(w.name, c.nodes, limit.rows, limit.statements(w), p.seconds, p.longest, c.bytes, c.records, c.images, p.wal, c.buffers,
			index, p.vacuum, p.before.Heap, p.after.Heap)
	}
	return nil
}

// purgeFigures show how long the purge takes and how long it holds locks.
func (b *bench) purgeFigures() {
	b.out.Figure(runner.Figure{Name: "purge_time", Title: "Purging the oldest half of the soft-deleted rows, one time each",
		HowToRead: "The longest statement is how long others wait for the rows that it locks. Batches shorten it; the time of all statements and VACUUM do not follow. One time each: look at the order of magnitude.",
		Layers: []runner.Layer{
			{Mark: runner.Bar, Table: "purge", X: "way", Y: "seconds", Label: "all statements"},
			{Mark: runner.Bar, Table: "purge", X: "way", Y: "longest_s", Label: "longest statement"},
			{Mark: runner.Bar, Table: "purge", X: "way", Y: "vacuum_s", Label: "VACUUM after it"}}})
	b.out.Figure(runner.Figure{Name: "purge_batch_time", Title: "Time of each batch of the purge by ctid",
		HowToRead: "Each batch looks for its rows anew. Where the line rises, the search passes the dead rows of the batches before it.",
		Layers:    []runner.Layer{{Mark: runner.Line, Table: "purge_batches", X: "batch", Y: "seconds", Label: "one batch"}}})
}
