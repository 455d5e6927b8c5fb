package softdelete

import "deletecost/runner"

// describe says how the experiment measures and what it cannot show.
func (b *bench) describe() {
	for _, p := range []string{
		"Each arm is a database of its own with both tables of the source: the same columns, 96 characters of payload, a descending index on created_at. A cycle inserts one batch with one INSERT ... SELECT, removes a share of that batch in one statement, and runs VACUUM (ANALYZE). Arms churn two at a time, in separate databases, since VACUUM's horizon is that of its own database and nothing is timed then.",
		"As published, victims are chosen as the source chose them: among the rows that exist with ids from max(id)+1, read before the insert. Corrected, they are drawn from exactly the ids of the new batch, with the same seed for both tables, so that both tables end with the same active rows; a digest over them proves it.",
		"The order in which rows are removed is part of the number. The removing statement joins the victims by a nested loop (enable_hashjoin and enable_mergejoin are off for it), so rows go in random physical order, as they did in the source's run. Left to itself the planner of 17 and later hashes the victims and removes them in heap order, which leaves an index of 10,032 KB and a query of few buffers.",
		"Latency is measured on the corrected arm, since only there do both tables hold the same active rows. The table with the partial index is a page-by-page copy of the database in which only that index was added, so the full and the partial index take turns on the same heap. All pages that the queries read are in shared buffers.",
		"Every reading is visited twice in each block, in a random order and in its reverse. The hard table of the copy is the hard table once more: it is timed against itself in the same blocks, and gives the noise floor.",
		"The round trip of the third condition is injected by the tool in front of the socket and checked with SELECT 1. It stands for what the source's client and container put around each query.",
		"VACUUM (ANALYZE) follows every removal, with the session's statistics flushed before it. Autovacuum is off and a CHECKPOINT ran before the timed part; checkpoints during it are counted and would be shown as a warning.",
	} {
		b.out.Explain(p)
	}
	for _, w := range []string{
		"Caches: everything here is read from shared buffers. What a cold table costs is not measured.",
		"Concurrency: one client at a time.",
		"The source's container, driver and operating system. Its absolute times are shown and not judged.",
	} {
		b.out.NotShown(w)
	}
}

// conclude answers the question with numbers.
func (b *bench) conclude() {
	p, t, ch := b.at.sizes[asPublished], b.at.ratios, b.at.change
	r := b.at.removed[asPublished]
	b.out.Conclude(runner.Say("{} the heap when rows are never removed: {} against {} after the same inserts and removals, and {} with the same active rows in both tables.",
		p["heap"], b.at.soft[asPublished]["heap"], b.at.hard[asPublished]["heap"], b.at.sizes[corrected]["heap"]))
	b.out.Conclude(runner.Say("{} the index on created_at, and no more, because deleting does not make a B-tree smaller: the leaf pages of the hard table's index are {} full.",
		p["index on created_at"], b.at.health[asPublished]["avg_leaf_density"]))
	b.out.Conclude(runner.Say("{} the time to read the 50 newest active rows over a Unix socket: on its way the scan passes {} that were removed (median of {} batches).",
		t["socket_simple/active/p50"], r["median"], r["draws"]))
	if b.addedValid {
		b.out.Conclude(runner.Say("{} is what is left of that with an injected round trip of {}: the further the client, the less of it shows.", t["network_simple/active/p50"], b.at.added))
	}
	b.out.Conclude(runner.Say("{} instead of {} for a partial index, which reads active rows in {} the time of the hard table. It does not shrink the heap.",
		ch["partial bytes"], ch["full bytes"], t["socket_simple/parity/p50"]))
	b.out.Conclude(runner.Say("{} the time for a primary key lookup: it does not care.", t["socket_simple/pk/p50"]))
	b.out.Conclude(runner.Say("{} were left in the hard table and {} should be: the published 5,034 comes from a bug in the source's own harness.",
		b.at.hard[asPublished]["live rows"], b.at.hard[corrected]["live rows"]))
}
