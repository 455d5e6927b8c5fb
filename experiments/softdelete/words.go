package softdelete

import "deletecost/runner"

// describe says how the experiment measures and what it cannot show.
func (b *bench) describe() {
	for _, p := range []string{
		"Each arm is a database of its own with both tables of the source: the same columns, 96 characters of payload, a descending index on created_at. A cycle inserts one batch with one INSERT ... SELECT, removes a share of that batch in one statement, and runs VACUUM (ANALYZE), after the session's statistics were flushed. Arms churn two at a time: nothing is timed then, and what VACUUM may remove depends on its own database only. The reuse of emptied index pages follows the server's transaction counter, so a parallel arm could move an index by pages.",
		"As published, victims are chosen as the source chose them: among the rows that exist with ids from max(id)+1, read before the insert. Corrected, they are drawn from exactly the ids of the new batch, with the same seed for both tables, so that both end with the same active rows. A digest over them proves it; without it there is no ratio of that arm.",
		"The order in which rows are removed is part of the number. The removing session has enable_hashjoin and enable_mergejoin off and plans each statement with its values, so it finds the victims one by one in random order, as the source's statement does on 16 once the table has grown for a few cycles. Left to itself, the planner of 17 hashes the victims and removes them in heap order, which gives other sizes and far fewer buffers.",
		"Latency is measured on the corrected arm, since only there do both tables hold the same active rows. The table with the partial index is a page-by-page copy of that database in which only this index was added, so the full and the partial index take turns on the same heap. Both databases are read into shared buffers before each condition; pages that were read while timing are counted.",
		"Every reading is visited twice in each block, in a random order and in its reverse, after warm-up blocks that go on until no reading shows a trend, 48 at the most. The hard table is also timed against itself: on the same session, and as the copy on the session of the partial index. That gives the noise floors.",
		"The round trip of the third condition is injected by the tool in front of the socket. It stands for what the source's client and container put around each query.",
		"Autovacuum is off, and a CHECKPOINT ran before the timed part.",
		"What goes beyond the source repeats the first cycles of the corrected arm, with the same rows removed, each in a database of its own.",
	} {
		b.out.Explain(p)
	}
	for _, w := range []string{
		"Caches: everything timed here is read from shared buffers. What a cold table costs is not measured.",
		"Concurrency: one client at a time.",
		"The source's container, driver and operating system. Its absolute times are shown and not judged.",
	} {
		b.out.NotShown(w)
	}
}

// concludeSizes answers the question as far as space goes.
func (b *bench) concludeSizes() {
	p, c := b.at.sizes[asPublished], b.at.sizes[corrected]
	b.out.Conclude(runner.Say("{} the heap when rows are never removed: {} against {} with the same active rows in both tables, and {} in the source's own harness.",
		c["heap"], b.at.soft[corrected]["heap"], b.at.hard[corrected]["heap"], p["heap"]))
	b.out.Conclude(runner.Say("{} the index on created_at: after hard deletes its leaf pages are {} full and stay, after soft deletes {}.",
		c["index on created_at"], b.at.health[corrected+"/"+hard]["avg_leaf_density"], b.at.health[corrected+"/"+soft]["avg_leaf_density"]))
	if b.out.AsPublished() {
		b.out.Conclude(runner.Say("{} were left in the hard table by the source's own harness, which published 5,034, and {} by a correct one: its window of victims slips.",
			b.at.hard[asPublished]["live rows"], b.at.hard[corrected]["live rows"]))
	}
}

// unlessTold ends a sentence on a ratio with its noise floor when the ratio
// cannot be told from 1.
func (b *bench) unlessTold(s runner.Sentence, ratio string) runner.Sentence {
	at := b.at.ratios[ratio]
	if told, ok := b.out.Word(runner.Ref{Table: at.Table, Row: at.Row, Value: "told_from_1"}); ok && told == "no" {
		s.Text += ", which cannot be told from equal: the hard table against itself comes out as far from 1 as {}"
		s.Refs = append(s.Refs, b.at.ratios[ratio+" floor"])
	}
	s.Text += "."
	return s
}

// concludeLatency answers the question as far as time goes.
func (b *bench) concludeLatency() {
	t, ch := b.at.ratios, b.at.change
	b.out.Conclude(runner.Say("{} the time to read the 50 newest active rows over a Unix socket: on its way the scan passes {} that were removed.",
		t["socket_simple/active/p50"], b.at.timed["soft_active"]["rows_removed_by_filter"]))
	if b.addedValid {
		b.out.Conclude(runner.Say("{} with an injected round trip of {}: the further the client, the less of it shows.", t["network_simple/active/p50"], b.at.added))
	}
	b.out.Conclude(runner.Say("{} instead of {} for a partial index, through which active rows take {} the time of the hard table. It does not shrink the heap.",
		ch["partial bytes"], ch["full bytes"], t["socket_simple/parity/p50"]))
	b.out.Conclude(b.unlessTold(runner.Say("{} the time for a primary key lookup", t["socket_simple/pk/p50"]), "socket_simple/pk/p50"))
}
