package retention

import (
	"slices"
	"time"

	"deletecost/runner"
)

var runsTable = runner.TableSpec{Name: "runs", Title: "Runs of the pipeline",
	Note: "Both tables hold as many rows. Partition bytes are those of both partitions with indexes before the detach; seconds are over both tables. Archive is from the first export to the last verification, whether they follow each other or overlap. Commit is the commit after DROP TABLE, in which PostgreSQL unlinks the files after its record is flushed and before it answers.",
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "method", Text: true}, {Name: "gzip_level"}, {Name: "pace", Unit: "rows/s", Meaning: "bound of the stream"}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "loop", Text: true, Meaning: "of the writers"},
		{Name: "partition_bytes", Unit: "bytes"}, {Name: "partition_bytes_per_row", Unit: "bytes"}, {Name: "archive_bytes", Unit: "bytes"}, {Name: "archive_bytes_per_row", Unit: "bytes"}, {Name: "archive_fraction", Unit: "x", Meaning: "archive bytes over partition bytes"},
		{Name: "parts", Meaning: "files"}, {Name: "expected_parts", Meaning: "rows over rows of a part, rounded up, per table"},
		{Name: "detach_s", Unit: "s"}, {Name: "export_s", Unit: "s"}, {Name: "verify_s", Unit: "s"}, {Name: "archive_s", Unit: "s"}, {Name: "compare_s", Unit: "s", Meaning: "restoring and comparing"}, {Name: "drop_s", Unit: "s", Meaning: "DROP TABLE"}, {Name: "commit_s", Unit: "s", Meaning: "commit after DROP TABLE"}, {Name: "total_s", Unit: "s"},
		{Name: "rows_per_s", Unit: "rows/s", Meaning: "archived rows a second"}, {Name: "verify_share", Unit: "x", Meaning: "verify over export"}, {Name: "unlink_s_per_gb", Unit: "s/GB", Meaning: "commit over partition bytes"},
		{Name: "zero_loss", Text: true}, {Name: "spot_check", Text: true}, {Name: "spots", Meaning: "parts looked at"},
		{Name: "checkpoints", Meaning: "begun from the first step to the last, by time or by WAL"}, {Name: "autovacuums", Meaning: "of tables meanwhile"}, {Name: "inserts_per_s", Unit: "inserts/s", Meaning: "of the writers during the export"},
		{Name: "acknowledged", Meaning: "inserts of the writers"}, {Name: "unknown", Meaning: "inserts without an answer"}, {Name: "violations", Meaning: "rows not in exactly one place"}, {Name: "file_system", Text: true, Meaning: "of the server's data, with its mount options"}, {Name: "load_s", Unit: "s", Meaning: "loading and indexing the month"}}}

var stepsTable = runner.TableSpec{Name: "steps", Title: "Steps of each run",
	Note: "As the pipeline told them, since its beginning. Steps of two tables may overlap.", Raw: true,
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "step", Text: true}, {Name: "start_s", Unit: "s"}, {Name: "end_s", Unit: "s"}, {Name: "seconds", Unit: "s"}}}

// startTables starts the tables that every run adds to.
func (b *bench) startTables() {
	b.runs, b.steps, b.bands = b.out.Table(runsTable), b.out.Table(stepsTable), b.out.Table(bandsTable)
	b.latencyRows, b.samples, b.points = b.out.Table(latencyTable), b.out.Table(sampleTable), b.out.Table(pointsTable)
}

// record writes a run down with its steps and returns its row.
func (b *bench) record(r *retired) int {
	b.band(r)
	for _, s := range r.diary.spans {
		b.steps.Add(r.name, s.step, s.start.Sub(r.began), s.end.Sub(r.began), s.end.Sub(s.start))
	}
	if r.dropped > 0 {
		b.out.Warn("%s: %d inserts of the writers are not in the latencies: there were more than fit into memory", r.name, r.dropped)
	}
	rows, d := float64(r.archived()), r.diary
	return b.runs.Add(r.name, r.method, r.level, paceOf(r), r.rows, r.loop,
		r.bytes, float64(r.bytes)/rows, r.outcome.Bytes, float64(r.outcome.Bytes)/rows, float64(r.outcome.Bytes)/float64(r.bytes),
		r.parts(), b.expectedParts(r.rows),
		d.seconds("detach"), d.seconds("export"), d.seconds("verify"), r.archiveSeconds(), b.compared(r), d.seconds("drop"), d.seconds("commit"), r.totalSeconds(),
		rows/r.archiveSeconds(), d.seconds("verify")/d.seconds("export"), d.seconds("commit")/(float64(r.bytes)/1e9),
		r.zeroLoss(), passed(r.spots.passed()), r.spots.parts, r.meanwhile.checkpoints, r.meanwhile.autovacuums, b.besideExport(r),
		b.proved(r, r.proof.acknowledged), b.proved(r, r.proof.unknown), b.proved(r, r.proof.violations), b.on(), r.loaded)
}

// on is what the server's data lies on.
func (b *bench) on() any {
	if b.fileSystem == "" {
		return runner.NA{Reason: "this system does not tell what the data lies on"}
	}
	return b.fileSystem
}

// paceOf is the bound of a run that has one.
func paceOf(r *retired) any {
	if r.pace == 0 {
		return runner.NA{Reason: "as fast as it goes"}
	}
	return r.pace
}

// besideExport is how many inserts a second ended during the export.
func (b *bench) besideExport(r *retired) any {
	if r.writers == 0 {
		return runner.NA{Reason: "nobody wrote"}
	}
	n, exports := 0, r.diary.of("export")
	for _, s := range r.samples {
		ended := r.crewBegan.Add(time.Duration(s.done))
		if slices.ContainsFunc(exports, func(e span) bool { return ended.After(e.start) && !ended.After(e.end) }) {
			n++
		}
	}
	return float64(n) / r.diary.seconds("export")
}

// proved is what the checker said of a run that it looked at.
func (b *bench) proved(r *retired, n int64) any {
	if r.measured {
		return runner.NA{Reason: "nobody wrote, and the checker was left out: the pipeline verified the parts and compared the counts"}
	}
	return n
}

// compared is the time of restoring and comparing, of a run that did.
func (b *bench) compared(r *retired) any {
	if !r.restore {
		return runner.NA{Reason: "the archive was not restored in this run, as the source did not"}
	}
	return r.diary.seconds("restore") + r.diary.seconds("compare")
}

// expectedParts is the number of parts of both tables.
func (b *bench) expectedParts(rows int) int {
	part := b.lab.Knob("part_rows")
	return 2 * ((rows + part - 1) / part)
}

func passed(yes bool) string {
	if yes {
		return "pass"
	}
	return "fail"
}
