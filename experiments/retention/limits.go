package retention

import (
	"fmt"

	"deletecost/runner"
)

// What a row takes, in bytes, generously.
const (
	rowBytes     = 450 // with its indexes; measured 405
	walBytes     = 700 // of WAL that loading writes, before it is recycled
	archiveBytes = 65  // compressed; measured 49 at level 6
	writtenBytes = 450 // an insert of the writers with its indexes and WAL
	scratchBytes = 250 // of the restored copy, without indexes
)

// maxKeptWAL bounds what stays of WAL between checkpoints: max_wal_size and
// what may come on top while one is under way.
const maxKeptWAL = 3 << 30

// space is the disk that a run needs at the most at one time: the largest month
// with its archive, a restored copy, WAL, and what the writers add meanwhile.
func space(v runner.Values) int64 {
	largest := max(v["rows_first"], v["rows_second"], v["rows_third"], v["arm_rows"], v["open_rows"], v["paced_rows"], v["delete_rows"], v["load_rows"])
	rows := 2 * (largest + v["small_month"])
	wal := min(rows*walBytes, maxKeptWAL)
	inserts := writtenMeanwhile(rows, v) + v["before_ms"]*1000/leastInsert
	return rows*(rowBytes+archiveBytes+v["restore"]*scratchBytes) + wal + inserts*writtenBytes + 256<<20
}

// What bounds how many rows the writers insert beside a pipeline, in
// microseconds: an insert takes no less, a row of the archive no more.
const (
	leastInsert = 50
	mostArchive = 40
)

// writtenMeanwhile is how many rows the writers insert at the most while a
// month is archived: at full speed, or at the pace, at which rows are streamed,
// read back at most at the same rate and counted again.
func writtenMeanwhile(rows int64, v runner.Values) int64 {
	full := rows * mostArchive
	paced := 3 * 2 * v["paced_rows"] * max(mostArchive, 1_000_000/max(v["pace"], 1))
	return max(full, paced) / leastInsert
}

// maxParts bounds the files of an archive, so that a part size of a few rows
// does not fill a folder with millions of them.
const maxParts = 100_000

// check refuses knobs that do not fit together.
func check(v runner.Values) error {
	if err := checkSizes(v); err != nil {
		return err
	}
	largest := max(v["rows_second"], v["rows_third"], v["open_rows"], v["paced_rows"], v["arm_rows"])
	if v["part_rows"] > 0 && 2*largest/v["part_rows"] > maxParts {
		return fmt.Errorf("part_rows is %d for %d rows a table: more than %d parts; raise part_rows", v["part_rows"], largest, maxParts)
	}
	if swept := max(v["rows_second"], v["rows_third"]); v["small_month"]*leastRange > swept {
		return fmt.Errorf("small_month is %d and the largest size %d rows: a shape takes %d times the rows; lower small_month to %d", v["small_month"], swept, leastRange, swept/leastRange)
	}
	return nil
}

// checkSizes refuses sizes that do not grow, or that are twice there.
func checkSizes(v runner.Values) error {
	if v["rows_second"] <= v["rows_first"] {
		return fmt.Errorf("rows_second is %d and rows_first %d: sizes must grow; raise rows_second", v["rows_second"], v["rows_first"])
	}
	if v["rows_small"] >= v["rows_first"] {
		return fmt.Errorf("rows_small is %d and rows_first %d: sizes must grow; lower rows_small, or leave it out with 0", v["rows_small"], v["rows_first"])
	}
	third := v["rows_third"]
	if third != 0 && (third == v["rows_small"] || third == v["rows_first"] || third == v["rows_second"]) {
		return fmt.Errorf("rows_third is %d, one of the other sizes: choose one that the fit has not seen, or leave it out with 0", third)
	}
	for _, name := range []string{"rows_small", "rows_third"} {
		if rows := v[name]; rows != 0 && rows < leastRows {
			return fmt.Errorf("%s is %d: choose at least %d rows, or leave it out with 0", name, rows, leastRows)
		}
	}
	return nil
}

// What shapes and sizes a row must be measured over.
const (
	publishedPart = 50_000            // rows of the source's parts
	leastLargest  = 2 * publishedPart // rows a table of the largest size: two full parts
	leastRange    = 10                // from the smallest size to the largest, as the claims' own rule has it
	leastRows     = 100               // of any size
)

// tooSmall says why growth, rates and bytes a row cannot be told at the given
// knobs, "" when they can.
func tooSmall(v runner.Values) string {
	largest, smallest := max(v["rows_second"], v["rows_third"]), v["rows_first"]
	if v["rows_small"] > 0 {
		smallest = v["rows_small"]
	}
	switch {
	case v["part_rows"] != publishedPart:
		return fmt.Sprintf("parts of %d rows; the source had %d, and what a row takes in a part and what a part costs depend on it", v["part_rows"], publishedPart)
	case largest < leastLargest:
		return fmt.Sprintf("the largest size has %d rows a table, less than two of the source's parts: its steps take as long as what does not depend on the rows", largest)
	case largest < leastRange*smallest:
		return fmt.Sprintf("the sizes go from %d to %d rows a table; growth takes a range of %d times", smallest, largest, leastRange)
	}
	return ""
}

// differs says what is not as the source had it, "" when nothing is.
func (b *bench) differs() string {
	source := Experiment().ValuesAt(runner.Published)
	for _, k := range []struct{ knob, what string }{{"rows_first", "%d rows a table at the first size; the source had %d"}, {"rows_second", "%d rows a table at the second size; the source had %d"}, {"part_rows", "parts of %d rows; the source had %d"}} {
		if have, had := int64(b.lab.Knob(k.knob)), source[k.knob]; have != had {
			return fmt.Sprintf(k.what, have, had)
		}
	}
	return ""
}
