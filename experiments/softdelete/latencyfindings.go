package softdelete

import "deletecost/runner"

// away adds the ratio with the injected round trip to an explanation, where
// that round trip is the one that was asked for.
func (b *bench) away(s runner.Sentence, ratio string) runner.Sentence {
	if !b.addedValid {
		s.Text += "; the injected round trip missed its mark, so no ratio is given with it"
		return s
	}
	s.Text += "; with an injected round trip of {} it is {}"
	s.Refs = append(s.Refs, b.at.added, b.at.ratios["network_simple/"+ratio])
	return s
}

func (b *bench) latencyFindings() {
	t, out := b.at.ratios, b.out
	const socket, prepared = "socket_simple/", "socket_prepared/"
	hits := func(reading string) runner.Ref { return b.at.timed[reading]["shared_hit_blocks"] }
	passed := func(reading string) runner.Ref { return b.at.timed[reading]["rows_removed_by_filter"] }
	out.Measured("s1.pk_parity", runner.Say("a lookup hits {} on the soft table and {} on the hard one; prepared with fresh keys {}; the table against itself comes out as far from 1 as {}",
		hits("soft_pk"), hits("hard_pk"), t[prepared+"pk/p50"], t[socket+"pk/p50 floor"]), t[socket+"pk/p50"])
	out.Measured("s1.active_p50_ratio", b.away(runner.Say("the plan on the soft table passes {} removed and hits {}, that on the hard one passes {} and hits {}. The published times hold the source's client and container on both sides, here there is a Unix socket; prepared {}",
		passed("soft_active"), hits("soft_active"), passed("hard_active"), hits("hard_active"), t[prepared+"active/p50"]), "active/p50"), t[socket+"active/p50"])
	out.Measured("s1.active_p99_ratio", b.away(tail("soft_active", "the hard table's p99 against itself", t[socket+"active/p99 floor"], b), "active/p99"), t[socket+"active/p99"])
	out.Measured("s1.partial_p50_ratio", b.away(runner.Say("through the full index the plan passes {} removed and hits {}, through the partial one it passes {} and hits {}; prepared {}",
		passed("soft_active"), hits("soft_active"), passed("soft_partial"), hits("soft_partial"), t[prepared+"partial/p50"]), "partial/p50"), t[socket+"partial/p50"])
	out.Measured("s1.partial_p99_ratio", b.away(tail("soft_partial", "the hard table's p99 against its copy", t[socket+"partial/p99 floor"], b), "partial/p99"), t[socket+"partial/p99"])
	out.Measured("s1.partial_vs_hard", runner.Say("through the partial index 50 active rows take {}, on the hard table {}; the hard table against its copy comes out as far from 1 as {}",
		hits("soft_partial"), hits("hard_active"), t[socket+"parity/p50 floor"]), t[socket+"parity/p50"])
	out.Measured("s1.partial_p99_parity", b.away(runner.Say("the source's text says that the partial index lands close to hard at p99, its figures say 1.64 times; the hard table against its copy comes out as far from 1 as {}", t[socket+"parity/p99 floor"]), "parity/p99"), t[socket+"parity/p99"])
	out.Measured("s1.latency_table", runner.Say("absolute times belong to a machine and are not judged; these were asked for over a Unix socket, and {} of {} blocks were noisy. A lookup hits {} on the hard table and {} on the soft one; for the active rows the hard table hits {}, the soft one {} through the full index, passing {} removed, and {} through the partial one",
		noise("noisy_blocks"), noise("blocks"), hits("hard_pk"), hits("soft_pk"), hits("hard_active"), hits("soft_active"), passed("soft_active"), hits("soft_partial")), b.latencyCells()...)
}

// latencyCells are the 21 published times in the source's order, measured in
// the source's way of asking.
func (b *bench) latencyCells() []runner.Ref {
	var all []runner.Ref
	for _, r := range []struct{ reading, label string }{
		{"hard_pk", "hard pk"}, {"hard_active", "hard active"}, {"soft_pk", "soft pk"}, {"soft_active", "soft active"},
		{"soft_active", "full index"}, {"soft_partial", "partial index"}, {"hard_active", "hard reference"},
	} {
		for _, q := range []string{"p50", "p95", "p99"} {
			all = append(all, b.at.times["socket_simple/"+r.reading+"/"+q].Named(r.label+" "+q))
		}
	}
	return all
}

// noise points at the disturbances of the first condition, which is the
// source's.
func noise(column string) runner.Ref {
	return runner.Ref{Table: disturbancesTable.Name, Row: 0, Value: column}
}

// tail explains the ratio of two p99s, which the few slowest executions decide.
func tail(reading, itself string, floor runner.Ref, b *bench) runner.Sentence {
	return runner.Say("every execution hits {}, so what sets the slowest hundredth apart is not what it reads: {} of {} blocks were noisy, and "+itself+" comes out as far from 1 as {}",
		b.at.timed[reading]["shared_hit_blocks"], noise("noisy_blocks"), noise("blocks"), floor)
}
