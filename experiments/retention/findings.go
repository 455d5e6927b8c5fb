package retention

import (
	"math"

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
	b.constantFinding("s4.detach_constant", "detach", "; DETACH CONCURRENTLY changes the catalog and waits for the transactions that were there before it, here those of the writers")
	b.constantFinding("s4.drop_statement_constant", "drop", "; the statement locks the tables and marks their files, which go at the commit")
	b.unlinkFindings()
	b.linearFindings()
	b.measured("s4.throughput", runner.Say("with the writers beside it, one part at a time; while they did {} at the largest size", b.runs.Ref(b.largest().row, "inserts_per_s")), b.bySize("rows_per_s")...)
	b.measured("s4.verify_share", runner.Say("at the largest size {} after {} of export: reading {} in {} parts back compares size and SHA-256 of the compressed bytes only, as the source did, and the files lie in the page cache",
		b.atLargest("verify_s"), b.atLargest("export_s"), b.atLargest("archive_bytes"), b.atLargest("parts")), b.bySize("verify_share")...)
}

// atLargest points at a column of the run of the largest size.
func (b *bench) atLargest(column string) runner.Ref {
	return b.runs.Ref(b.largest().row, column)
}

// constantFinding judges a step by its turns with a small month.
func (b *bench) constantFinding(claim, step, how string) {
	at := func(column, arm string) runner.Ref {
		return b.constants.RefWhere(column, map[string]string{"step": step, "arm": arm})
	}
	ratio := func(arm string) runner.Ref {
		return b.constants.RefRange(at("ratio", arm).Row, "ratio", "ratio_low", "ratio_high")
	}
	why := runner.Say("in turns beside the writers, {} for {} a table and {} for {}: {} of the time for {} the rows, and the small month against itself {}"+how+". The pipeline's own runs, one of most sizes, have a slope of {}",
		at("median_s", largeMonth), at("rows", largeMonth), at("small_s", largeMonth), at("small_rows", largeMonth), ratio(largeMonth), at("rows_ratio", largeMonth), ratio(smallAgain), b.growth[step])
	b.measured(claim, why, b.constants.RefRange(at("slope", largeMonth).Row, "slope", "slope_low", "slope_high"))
}

// unlinkFindings are those on the commit after DROP.
func (b *bench) unlinkFindings() {
	on := b.atLargest("file_system")
	b.measured("s4.drop_commit_linear", runner.Say("the commit flushes its record and unlinks the files of the partitions and their indexes: {} of {} on {}", b.atLargest("commit_s"), b.atLargest("partition_bytes"), on),
		append([]runner.Ref{b.growth["commit after drop"].Named("slope")}, b.bySize("commit_s")...)...)
	b.measured("s4.unlink_rate", runner.Say("the commit after DROP over the bytes of both partitions with indexes, at the largest size {} over {}, on {}", b.atLargest("commit_s"), b.atLargest("partition_bytes"), on), b.bySize("unlink_s_per_gb")...)
}

// linearFindings judge what the slopes over all runs make of three times the
// rows, which is how far the source's two sizes are apart.
func (b *bench) linearFindings() {
	shared := func(step string) (string, []runner.Ref) {
		low, high := b.extremes("rows_per_s")
		return ", by the slope {} of {} runs from {} to {} a table; the two largest sizes, once each, are {} apart in rows and {} in archive time. A straight line through the runs up to the next largest size has {} that does not depend on the rows. Single runs archived {} to {} beside {} and {} of the writers, with whom they share the processors",
			[]runner.Ref{b.growth[step], b.slopeOf(step, "runs"), b.slopeOf(step, "least_rows"), b.slopeOf(step, "most_rows"), b.scaling.Ref(0, "rows_ratio"), b.scaling.Ref(0, "archive_ratio"), b.fit.Ref(0, "fixed_s"),
				b.runs.Ref(low, "rows_per_s"), b.runs.Ref(high, "rows_per_s"), b.runs.Ref(low, "inserts_per_s"), b.runs.Ref(high, "inserts_per_s")}
	}
	triple := b.slopes.RefRange(b.growth["archive"].Row, "triple", "triple_low", "triple_high")
	text, refs := shared("archive")
	b.measured("s4.archive_linear", runner.Say("three times the rows take {}"+text, append([]runner.Ref{triple}, refs...)...), triple)
	rate := b.slopes.RefRange(b.growth["total"].Row, "triple_rate", "triple_rate_low", "triple_rate_high")
	text, refs = shared("total")
	b.measured("s4.run_total", runner.Say("at three times the rows the whole run has {} of the rows a second"+text+". The times stand beside the published 353.1 and 1,027.5 s in runs.csv", append([]runner.Ref{rate}, refs...)...), rate)
}

// slopeOf points at a cell of growth.csv.
func (b *bench) slopeOf(step, column string) runner.Ref {
	return b.slopes.Ref(b.growth[step].Row, column)
}

// extremes are the rows of the source's runs with the least and the most of a
// column.
func (b *bench) extremes(column string) (least, most int) {
	value := func(row int) float64 {
		m, err := b.out.Number(b.runs.Ref(row, column))
		if err != nil {
			return math.NaN()
		}
		return m.Value
	}
	least, most = b.swept[0].row, b.swept[0].row
	for _, s := range b.swept {
		if value(s.row) < value(least) {
			least = s.row
		}
		if value(s.row) > value(most) {
			most = s.row
		}
	}
	return least, most
}

// sizeFindings are those on bytes, parts and loss.
func (b *bench) sizeFindings() {
	out, large := b.out, b.largest()
	at := func(column string) runner.Ref { return b.runs.Ref(large.row, column) }
	b.measured("s4.archive_bytes_per_row", runner.Say("gzip level 6 of JSON Lines in the order of random keys, {} a table in {} parts; an activity has one random UUID and a delivery two, 24 bytes a row that nothing compresses", at("rows"), at("parts")), at("archive_bytes_per_row"))
	b.measured("s4.partition_bytes_per_row", runner.Say("both partitions of {} with 14 secondary indexes, of which four are partial and empty, built after filling; read as GiB, the published figure is 418.8", at("rows")), at("partition_bytes_per_row"))
	b.measured("s4.archive_fraction", runner.Say("{} a row in the archive over {} in the tables", at("archive_bytes_per_row"), at("partition_bytes_per_row")), at("archive_fraction"))
	out.Measured("s4.parts", runner.Say("rows over the rows of a part, rounded up, per table: {} are expected at the first size", b.runs.Ref(b.first().row, "expected_parts")), b.runs.Ref(b.first().row, "parts"))
	out.Measured("s4.zero_loss", b.lossWhy(), b.runsOf("zero_loss")...)
	out.Measured("s4.spot_check", runner.Say("random parts, up to six a run, in the largest run {} of {}, decompressed with the standard library and compared with the manifest by lines and by SHA-256 of the compressed and of the raw bytes", at("spots"), at("parts")), b.runsOf("spot_check")...)
}

// lossWhy says what was looked at, and what was found where something was
// missing.
func (b *bench) lossWhy() runner.Sentence {
	why := "the parts were verified without the server, and a checker that shares no code with the pipeline looked for every row of the month and for every acknowledged insert, in the largest run {} a table and {} inserts, beside {} without an answer"
	refs := []runner.Ref{b.atLargest("rows"), b.atLargest("acknowledged"), b.atLargest("unknown")}
	for _, s := range b.swept {
		if !s.zeroLoss() {
			return runner.Say(why+"; in {} it found {} rows that are not in exactly one place, and the archive verifies: "+passed(s.verified),
				append(refs, b.runs.Ref(s.row, "run"), b.runs.Ref(s.row, "violations"))...)
		}
	}
	return runner.Say(why+"; each was in exactly one place", refs...)
}

// lineFindings are those on the straight line.
func (b *bench) lineFindings() {
	at := func(name, column string) runner.Ref { return b.fit.RefWhere(column, map[string]string{"case": name}) }
	far := b.fit.RefRange(at(hundred, "").Row, "predicted_s", "predicted_low_s", "predicted_high_s")
	b.measured("s4.linear_fit", runner.Say("{} for 100M rows a table, extrapolated from at most {}; the source extrapolated 3,370 s", far, at(hundred, "fitted_to_rows")), far.Named("100M, extrapolated"))
	later := at(laterRun, "measured_over_predicted")
	why := "the source's line says {} for its own later run, which took {}: {} of the prediction, so its line does not hold for another data set"
	refs := []runner.Ref{at(laterRun, "predicted_s"), at(laterRun, "measured_s"), later}
	shown := []runner.Ref{at(laterRun, "predicted_s").Named("the source's line"), at(laterRun, "measured_s").Named("the source's later run")}
	if _, ok := b.third(); ok {
		own, took := at(heldOutSize, "measured_over_predicted"), at(heldOutSize, "measured_s")
		why += ". Here a size that the line had not seen took {}, {} of its prediction of {}"
		refs, shown = append(refs, took, own, b.fit.RefRange(own.Row, "predicted_s", "predicted_low_s", "predicted_high_s")), append(shown, own.Named("held out here, measured over predicted"))
	}
	b.measured("s4.extrapolation", runner.Say(why, refs...), shown...)
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
