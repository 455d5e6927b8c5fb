package retention

import "deletecost/runner"

// inPhase points at a column of a phase of a run, and says whether there were
// inserts in it.
func (b *bench) inPhase(s swept, phase, column string) (runner.Ref, bool) {
	row, ok := s.latencies[phase]
	return b.latencyRows.Ref(row, column).Named(phase + ", " + s.name), ok
}

// writerFindings are those on what the writers noticed.
func (b *bench) writerFindings() {
	var slowest []runner.Ref
	for _, s := range b.swept {
		for _, phase := range []string{detaching, dropping} {
			if ref, ok := b.inPhase(s, phase, "slowest_s"); ok {
				slowest = append(slowest, ref)
			}
		}
	}
	if slowest == nil {
		b.out.NotMeasured("s4.writers_not_blocked", "no insert overlapped a detach or a drop")
	} else {
		b.measured("s4.writers_not_blocked", b.blockedWhy(), slowest...)
	}
	b.p99Findings()
}

// blockedWhy tells what the writers of the largest run did beside the steps
// that lock, and when they were alone.
func (b *bench) blockedWhy() runner.Sentence {
	large := b.largest()
	why := "the slowest inserts that overlapped either. In the largest run detaching took {} and DROP TABLE {}"
	refs := []runner.Ref{b.atLargest("detach_s"), b.atLargest("drop_s")}
	for _, beside := range []struct{ phase, words string }{{detaching, "{} inserts overlapped the detach, with a p50 of {}"}, {dropping, "{} the drop, with a p50 of {}"}, {before, "{} came before, with a p50 of {}, the slowest {}"}} {
		row, ok := large.latencies[beside.phase]
		if !ok {
			continue
		}
		why += "; " + beside.words
		refs = append(refs, b.latencyRows.Ref(row, "inserts"), b.latencyRows.Ref(row, "p50_s"))
		if beside.phase == before {
			refs = append(refs, b.latencyRows.Ref(row, "slowest_s"))
		}
	}
	why += ". DETACH CONCURRENTLY asks for SHARE UPDATE EXCLUSIVE on the table that is written to, with which an insert's lock does not conflict, and the drop locks a table that is no longer part of it. Checkpoints begun meanwhile: {}"
	return runner.Say(why, append(refs, b.atLargest("checkpoints"))...)
}

// p99Findings are those on p99 and on the slowest insert of all.
func (b *bench) p99Findings() {
	large := b.largest()
	row, ok := large.latencies[exporting]
	alone, too := large.latencies[before]
	if !ok || !too {
		b.out.NotMeasured("s4.writer_p99_during", "no insert overlapped the export of the largest size, or none came before")
		b.out.NotMeasured("s4.slowest_insert", "no insert overlapped the export of the largest size, or none came before")
		return
	}
	at := func(row int, column string) runner.Ref { return b.latencyRows.Ref(row, column) }
	ratio := b.latencyRows.RefRatio(row, "p99_over_before", "ratio_low", "ratio_high", "floor")
	b.measured("s4.writer_p99_during", runner.Say("closed-loop writers, as the source's, during the export of the largest size, {} of {} inserts, over before, {} of {}; the two halves of the time before came out as far from 1 as {}. The export runs on the machine of the writers and of their server: {} were archived beside {} of the writers. Writers that keep to a schedule are in the table beside them",
		at(row, "p99_s"), at(row, "inserts"), at(alone, "p99_s"), at(alone, "inserts"), at(row, "floor"), b.atLargest("rows_per_s"), b.atLargest("inserts_per_s")), ratio)
	refs := []runner.Ref{at(row, "slowest_s").Named("export")}
	for _, phase := range []string{detaching, dropping, before} {
		if ref, ok := b.inPhase(large, phase, "slowest_s"); ok {
			refs = append(refs, ref.Named(phase))
		}
	}
	b.measured("s4.slowest_insert", runner.Say("of the largest size, among {} inserts during the export, whose p50 is {} and p99 {}, and {} before; checkpoints begun meanwhile: {}. Only the budget of a second is judged",
		at(row, "inserts"), at(row, "p50_s"), at(row, "p99_s"), at(alone, "inserts"), b.atLargest("checkpoints")), refs...)
}
