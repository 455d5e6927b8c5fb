package retention

import "deletecost/runner"

// describe says how the experiment measures and what it cannot show.
func (b *bench) describe() {
	for _, p := range []string{
		"Two tables partitioned by month, activities and deliveries, with the source's columns and its 14 secondary indexes, of which four are partial and empty. March 2001 has as many rows in both; keys are random UUIDs of version 4 from the run's seed, there is one tenant, one conversation and one channel, and the text is 16 bytes. A month is filled first and indexed after, vacuumed, frozen and checkpointed. The server has PostgreSQL's default settings where the source had them.",
		"Writers insert activities into the current month, one row a commit, each on a connection of its own with a conversation of its own. In the closed loop, the source's, a writer asks again when it has its answer. In the open loop inserts are due on a schedule at a share of the rate that the closed loop reached alone, and latency counts from the scheduled start.",
		"Each writer notes what it is about to insert and what the server has acknowledged in a file outside of the server. After each run a checker that shares no code with the pipeline looks for every row of the month and for every insert: in the table, in what was detached, in the archive. An insert without an answer is counted apart.",
		"The source's method scans ranges of the primary key, lets the server make JSON, compresses with the standard library at level 6, one part at a time, and reads every part back afterwards. Ours copies both tables at once and verifies while it writes. Neither compares the archive with the table in the timed runs, since the source did not; one run does.",
		"Each run loads its month anew. The writers' partition is emptied between runs.",
	} {
		b.out.Explain(p)
	}
	for _, w := range []string{
		"A month that lies among others of a large data set: only the month that goes and the current one have rows.",
		"An archive on another machine: the folder lies on the server's file system, so that reading back comes from the page cache, and both share one disk.",
		"The source's application: its pool, its row locks on a conversation, its language.",
		"The server's memory under pressure: at laptop sizes the month lies in the page cache.",
	} {
		b.out.NotShown(w)
	}
}

// concludePublished answers the question as the source put it.
func (b *bench) concludePublished() {
	large := b.largest()
	at := func(column string) runner.Ref { return b.runs.Ref(large.row, column) }
	b.out.Conclude(runner.Say("{} to archive and verify {} a table by the source's method beside its writers, {}; detaching took {}, DROP TABLE {} and its commit {}.",
		at("archive_s"), at("rows"), at("rows_per_s"), at("detach_s"), at("drop_s"), at("commit_s")))
	if _, ok := b.third(); ok && b.small == "" {
		b.out.Conclude(runner.Say("A straight line through the other sizes predicted {} for one that was held out, which took {}.",
			b.fit.RefRange(0, "predicted_s", "predicted_low_s", "predicted_high_s"), b.fit.Ref(0, "measured_s")))
	}
}
