package retention

import (
	"deletecost/runner"
)

// publishedFindings are the claims of the source, each on the source's own
// method in this run.
func (b *bench) publishedFindings() {
	b.shapeFindings()
	b.sizeFindings()
	b.writerFindings()
	b.lineFindings()
}

// runsOf points at a column of every run of the source's method.
func (b *bench) runsOf(column string) []runner.Ref {
	var refs []runner.Ref
	for _, s := range b.swept {
		refs = append(refs, b.runs.Ref(s.row, column).Named(s.name))
	}
	return refs
}

// bySize points at a column of the last run of each size.
func (b *bench) bySize(column string) []runner.Ref {
	var refs []runner.Ref
	for _, rows := range b.sizes() {
		s := b.of(rows)
		refs = append(refs, b.runs.Ref(s.row, column).Named(runner.Humanize(b.runs.Text(s.row, "rows"), "rows")))
	}
	return refs
}

// shapeFindings are those on how steps grow.
func (b *bench) shapeFindings() {
	out := b.out
	out.Measured("s4.detach_constant", runner.Say("DETACH CONCURRENTLY changes the catalog and waits for the transactions that were there before it, so its time is that of the writers' longest transaction and not that of the rows"), b.growth["detach"])
	out.Measured("s4.drop_statement_constant", runner.Say("the statement only marks the files; they go at the commit"), b.growth["drop"])
	out.Measured("s4.drop_commit_linear", runner.Say("the commit unlinks the files of the partitions and their indexes, in segments of 1 GiB; what that costs is this file system's matter, which the settings of the run name"), append([]runner.Ref{b.growth["commit after drop"].Named("slope")}, b.bySize("commit_s")...)...)
	out.Measured("s4.archive_linear", runner.Say("each part is one scan of a key range, one compression and one file: {} the rows took {} the time", b.scaling.Ref(0, "rows_ratio"), b.scaling.Ref(0, "archive_ratio")), b.scaling.Ref(0, "archive_ratio"))
	out.Measured("s4.throughput", runner.Say("with the writers beside it, one part at a time"), b.bySize("rows_per_s")...)
	out.Measured("s4.verify_share", runner.Say("reading the parts back compares size and SHA-256 of the compressed bytes only, as the source did"), b.bySize("verify_share")...)
	out.Measured("s4.unlink_rate", runner.Say("of the commit after DROP, over the bytes of both partitions with indexes"), b.bySize("unlink_s_per_gb")...)
	out.Measured("s4.run_total", runner.Say("rows a second of the whole at the largest size over those at the next smaller one; the times stand beside the published 353.1 and 1,027.5 s in runs.csv"), b.scaling.Ref(0, "rate_ratio"))
}

// sizeFindings are those on bytes, parts and loss.
func (b *bench) sizeFindings() {
	out, second := b.out, b.second()
	at := func(column string) runner.Ref { return b.runs.Ref(second.row, column) }
	out.Measured("s4.archive_bytes_per_row", runner.Say("gzip level 6 of JSON Lines in the order of random keys"), at("archive_bytes_per_row"))
	out.Measured("s4.partition_bytes_per_row", runner.Say("both partitions with 14 secondary indexes, of which four are partial and empty, built after filling; read as GiB, the published figure is 418.8"), at("partition_bytes_per_row"))
	out.Measured("s4.archive_fraction", runner.Say("{} a row in the archive over {} in the tables", at("archive_bytes_per_row"), at("partition_bytes_per_row")), at("archive_fraction"))
	out.Measured("s4.parts", runner.Say("rows over the rows of a part, rounded up, per table: {} are expected at the first size", b.runs.Ref(b.first().row, "expected_parts")), b.runs.Ref(b.first().row, "parts"))
	out.Measured("s4.zero_loss", runner.Say("every row of the month is in a part that verifies, and a checker that shares no code with the pipeline found every row of the month and every acknowledged insert in exactly one place"), b.runsOf("zero_loss")...)
	out.Measured("s4.spot_check", runner.Say("random parts, decompressed with the standard library: lines, and SHA-256 of the compressed and of the raw bytes"), b.runsOf("spot_check")...)
}

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
		b.out.Measured("s4.writers_not_blocked", runner.Say("DETACH CONCURRENTLY takes SHARE UPDATE EXCLUSIVE on the table that is written to, which inserts pass; the drop locks a table that is no longer part of it"), slowest...)
	}
	b.p99Findings()
}

// p99Findings are those on p99 and on the slowest insert of all.
func (b *bench) p99Findings() {
	large := b.largest()
	row, ok := large.latencies[exporting]
	if !ok {
		b.out.NotMeasured("s4.writer_p99_during", "no insert overlapped an export")
		b.out.NotMeasured("s4.slowest_insert", "no insert overlapped an export")
		return
	}
	ratio := b.latencyRows.RefRange(row, "p99_over_before", "ratio_low", "ratio_high")
	b.out.Measured("s4.writer_p99_during", runner.Say("closed-loop writers, as the source's, during the export of the largest size over before; writers that keep to a schedule are in the table beside them"), ratio)
	refs := []runner.Ref{b.latencyRows.Ref(row, "slowest_s").Named("export")}
	for _, phase := range []string{detaching, dropping, before} {
		if ref, ok := b.inPhase(large, phase, "slowest_s"); ok {
			refs = append(refs, ref.Named(phase))
		}
	}
	b.out.Measured("s4.slowest_insert", runner.Say("of the largest size; only the budget of a second is judged"), refs...)
}

// lineFindings are those on the straight line.
func (b *bench) lineFindings() {
	at := func(name, column string) runner.Ref { return cellOf(b.fit, column, map[string]string{"case": name}) }
	far := b.fit.RefRange(at(hundred, "").Row, "predicted_s", "predicted_low_s", "predicted_high_s")
	b.out.Measured("s4.linear_fit", runner.Say("{} for 100M rows a table, extrapolated from at most {}; the source extrapolated 3,370 s", far, at(hundred, "fitted_to_rows")), far.Named("100M, extrapolated"))
	later := at(laterRun, "measured_over_predicted")
	why := "the source's line says {} for its own later run, which took {}: {} of the prediction, so its line does not hold for another data set"
	refs := []runner.Ref{at(laterRun, "predicted_s"), at(laterRun, "measured_s"), later}
	shown := []runner.Ref{at(laterRun, "predicted_s").Named("the source's line"), at(laterRun, "measured_s").Named("the source's later run")}
	if _, ok := b.third(); ok {
		own := at(heldOutSize, "measured_over_predicted")
		why += ". Here a size that the line had not seen took {} of its prediction"
		refs, shown = append(refs, own), append(shown, own.Named("held out here, measured over predicted"))
	}
	b.out.Measured("s4.extrapolation", runner.Say(why, refs...), shown...)
	b.laterFinding()
}

// laterFinding is the source's later run, which is repeated only when asked for.
func (b *bench) laterFinding() {
	s, ok := b.third()
	if !b.out.AsPublished() || !ok {
		b.out.NotMeasured("s4.measured_100m", "a run of 16.7 million rows in all is asked for with rows_third beside the published sizes; the 83 million others of the source's data set are in months that the run does not read")
		return
	}
	b.out.Measured("s4.measured_100m", runner.Say("{} in this run", b.runs.Ref(s.row, "rows")), b.runs.Ref(s.row, "archive_s"))
}

// cellOf points at a value in the first row that has the given words. Where
// there is none, the report says that the row is not there.
func cellOf(t *runner.Table, value string, where map[string]string) runner.Ref {
	row, ok := t.Find(where)
	if !ok {
		row = -1
	}
	return t.Ref(row, value)
}
