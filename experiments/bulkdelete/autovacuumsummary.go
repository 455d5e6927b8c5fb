package bulkdelete

import (
	"slices"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var sizesAfterTable = runner.TableSpec{Name: "size_after_autovacuum", Title: "The size after autovacuum has run, by what happened meanwhile",
	Note: "Over all trials of an arm. The range counts as an interval from five trials up: fewer say nothing of how often an outcome comes.",
	Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "trials", Meaning: "in which autovacuum ran"}, {Name: "reports", Meaning: "of VACUUM that could be read; the next five columns are from them"},
		{Name: "emptied", Meaning: "trials after which no page was left"}, {Name: "with_missed_pages", Meaning: "trials in which pages were passed over"}, {Name: "greatest_pages_missed", Unit: "pages", Meaning: "in one trial"},
		{Name: "lock_refused", Meaning: "trials in which the lock for truncating was not to be had for 5 s"}, {Name: "yields", Meaning: "times that truncation was suspended for a waiting session"},
		{Name: "median_bytes", Unit: "bytes", Meaning: "pg_table_size"}, {Name: "least_bytes", Unit: "bytes"}, {Name: "greatest_bytes", Unit: "bytes"},
		{Name: "low_bytes", Unit: "bytes", Meaning: "interval: the range of at least five trials"}, {Name: "high_bytes", Unit: "bytes"},
		{Name: "answers_between", Meaning: "answers to who asked for the size that lie between before and after"}, {Name: "least_between_bytes", Unit: "bytes"}, {Name: "greatest_between_bytes", Unit: "bytes"},
		{Name: "longest_wait_s", Unit: "s", Meaning: "for an answer"}}}

// trialsOf are the trials of an arm that autovacuum came to.
func (s *sourceRun) trialsOf(arm string) []*trial {
	return slices.DeleteFunc(slices.Clone(s.autovacuumed), func(t *trial) bool { return t.arm.name != arm })
}

// reported are those whose report of VACUUM could be read.
func (s *sourceRun) reported(arm string) []*trial {
	return slices.DeleteFunc(s.trialsOf(arm), func(t *trial) bool { return !t.reported })
}

// summarize writes the distribution of each arm.
func (s *sourceRun) summarize(arms []trialArm) {
	s.summary = s.out.Table(sizesAfterTable)
	for _, arm := range arms {
		cells := []any{arm.name, len(s.trialsOf(arm.name))}
		cells = append(cells, s.reportCells(arm.name)...)
		cells = append(cells, s.sizeCells(arm.name)...)
		s.summary.Add(append(cells, s.answerCells(arm.name)...)...)
	}
}

// reportCells are what VACUUM reported in the trials of an arm.
func (s *sourceRun) reportCells(arm string) []any {
	reported := s.reported(arm)
	if len(reported) == 0 {
		return append([]any{0}, none(5, noReport)...)
	}
	var emptied, missed, refused int
	var greatest, yields int64
	for _, t := range reported {
		emptied += one(t.report.pagesRemain == 0)
		missed += one(t.report.pagesMissed > 0)
		refused += one(t.report.lockRefused)
		greatest = max(greatest, t.report.pagesMissed)
		yields += t.report.yields
	}
	return []any{len(reported), emptied, missed, greatest, refused, yields}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// sizeCells are the sizes after the trials of an arm.
func (s *sourceRun) sizeCells(arm string) []any {
	var sizes []float64
	for _, t := range s.trialsOf(arm) {
		sizes = append(sizes, float64(t.after))
	}
	if len(sizes) == 0 {
		return none(5, s.neverCame())
	}
	ends := stat.Extremes(sizes)
	cells := []any{ends.Median, ends.Low, ends.High}
	spread, err := stat.Repeats(sizes)
	if err != nil {
		return append(cells, none(2, "fewer than five trials give no interval")...)
	}
	return append(cells, spread.Low, spread.High)
}

// answerCells are what a session was told that asked for the size.
func (s *sourceRun) answerCells(arm string) []any {
	if arm != sizeAsked {
		return none(4, nobodyAsked)
	}
	var between []int64
	var longest time.Duration
	for _, t := range s.trialsOf(arm) {
		for _, a := range t.between() {
			between = append(between, a.bytes)
		}
		longest = max(longest, t.longestWait())
	}
	if len(between) == 0 {
		return append(append([]any{0}, none(2, noneBetween)...), longest)
	}
	return []any{len(between), slices.Min(between), slices.Max(between), longest}
}

// none are cells without a value.
func none(cells int, reason string) []any {
	all := make([]any, cells)
	for i := range all {
		all[i] = runner.NA{Reason: reason}
	}
	return all
}
