package treedelete

import "deletecost/runner"

// describe says how the experiment measures and what it cannot show.
func (b *bench) describe() {
	for _, p := range []string{
		"A document has blocks and each block one attribute, with foreign keys and an index on each referencing column. Rows of blocks and attributes lie in random physical order. Around the document there are others with one block and one attribute each; how many decides what the planner chooses for the set-based form, and the source does not say.",
		"Every deletion runs in a transaction that is rolled back. Inside of it, after the clock has stopped, as many rows must be gone as the tree has, and a digest of all ids that are left must be the one that deleting the tree leaves; after the first execution of a way on a session, the proof is that none of the tree's rows is left, which with the count says the same. A pass that finds nothing to delete fails the run, and so does any other set of survivors, with the ids. BEGIN, ROLLBACK and the proof are neither timed nor delayed.",
		"A rolled-back deletion leaves no dead rows, but pages that are no longer all-visible and rows with the xmax of a transaction that did not commit. So the rounds after the first are not the first: first executions are timed on fresh copies of the tables and shown apart.",
		"The ways that a client has each run on a session of their own over a Unix socket, with a generic plan and with custom plans (plan_cache_mode). Statements, queries of foreign keys, buffers and WAL are those of pg_stat_statements, on a session of its own that is never timed; round trips are counted on the connection; EXPLAIN gives the time of triggers.",
		"A round trip is added by the tool in front of the socket: the first write after a read waits. Each one is held against SELECT 1 in the same run.",
		"Autovacuum and JIT are off, and nothing else runs on the server.",
	} {
		b.out.Explain(p)
	}
	for _, w := range []string{
		"A real network: loss, jitter, bandwidth, a connection pool between. The injected round trip is constant and waits once, however much is sent.",
		"What an object-relational mapper does beside the DELETEs: it loads the children first, with a SELECT a level or a row, which are round trips as well. The ids are known here before the clock starts.",
		"Concurrency: one client at a time, no waiting for locks.",
		"The incident's own tree, machine and pool, which the source does not describe.",
		"Commits and their flush within the deletions: they are rolled back. What a commit costs a statement is measured apart.",
	} {
		b.out.NotShown(w)
	}
}

// concludeSweep answers the question as far as the server goes.
func (b *bench) concludeSweep() {
	t, row := b.sweepRows, b.sweep[3]
	b.out.Conclude(runner.Say("{} the time of three set-based statements for {} in a loop inside of the server, where a statement costs {}.",
		t.RefRatio(row, "ratio", "ratio_low", "ratio_high", "floor"), t.Ref(row, "statements"), t.Ref(row, "per_statement_s")))
}

// concludeDelays answers it as far as the network goes.
func (b *bench) concludeDelays() {
	if b.invalid(b.far()) != "" {
		b.out.Conclude(runner.Say("What the network costs could not be measured on this machine: " + b.invalid(b.far()) + "."))
		return
	}
	f, d := b.farRows, b.delayed
	at := func(way string) runner.Ref { return d.Ref(b.delayAt[wayDelay{way, b.far()}], "time_s") }
	b.out.Conclude(runner.Say("{} to delete the tree of {} blocks row by row across a round trip of {}, {} in three statements and {} in one: the client waits once a row, three times, or once. A statement takes {} the time that it takes inside of the server.",
		at(rowPrepared), d.Ref(b.delayAt[wayDelay{rowPrepared, b.far()}], "blocks").Named("blocks"), b.delays[b.far()].at, at(setBased), at(oneCTE), f.RefRange(0, "factor", "factor_low", "factor_high")))
}

// concludeIncident says what the incident was made of.
func (b *bench) concludeIncident() {
	if b.invalidFits() != "" {
		return
	}
	t := b.incidentRows
	b.out.Conclude(runner.Say("{} for the incident's 133,973 statements, predicted from smaller trees and extrapolated; {} set-based. Of two trees that were held out one took {} of its prediction, with a round trip that was held out as well, and the other {}.",
		t.RefRange(b.incidentRow, "predicted_s", "predicted_low_s", "predicted_high_s"), t.RefRange(b.incidentSet, "predicted_s", "predicted_low_s", "predicted_high_s"),
		t.RefRange(b.heldOut[0], "measured_over_predicted", "over_low", "over_high"), t.RefRange(b.heldOut[1], "measured_over_predicted", "over_low", "over_high")))
	if b.ran() {
		b.out.Conclude(runner.Say("{} is what the incident took when it was run here, and {} set-based; the source saw 387 s in production and 8.7 s after the fix.",
			t.Ref(b.incidentRow, "measured_s"), t.Ref(b.incidentSet, "measured_s")))
	}
}

// concludeCrossover says where row by row wins.
func (b *bench) concludeCrossover() {
	t := b.crossRows
	for _, row := range b.crossings {
		if t.Text(row, "faster") == "row by row" {
			b.out.Conclude(runner.Say("Row by row is the faster form in the server among {} other documents, {} the time of the set-based one, whose join is {} there.",
				t.Ref(row, "other_documents"), t.RefRange(row, "ratio", "ratio_low", "ratio_high"), t.Ref(row, "set_plan")))
			return
		}
	}
	b.out.Conclude(runner.Say("Row by row was the faster form nowhere, from {} to {} other documents.",
		t.Ref(b.crossings[0], "other_documents"), t.Ref(b.crossings[len(b.crossings)-1], "other_documents")))
}
