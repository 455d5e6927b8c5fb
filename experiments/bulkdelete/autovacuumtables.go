package bulkdelete

import (
	"fmt"
	"slices"
	"time"

	"deletecost/runner"
)

var trialsTable = runner.TableSpec{Name: "autovacuum_trials", Title: "The size after autovacuum has run, trial by trial",
	Note: "Each trial is the whole sequence on a table of its own. The size was read once, as soon as the count of autovacuum runs had moved. From vacuum_s on, the columns are VACUUM's own report in the server's log. " +
		"Of the live row with a cursor on it, what the cursor's pin did is in pages_missed only: the row itself also keeps its page, and the cursor's ACCESS SHARE lock would keep VACUUM from truncating.",
	Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "trial"}, {Name: "size_before_bytes", Unit: "bytes", Meaning: "pg_table_size"}, {Name: "size_after_bytes", Unit: "bytes", Meaning: "pg_table_size"},
		{Name: "waited_s", Unit: "s", Meaning: "from the DELETE until autovacuum had run"},
		{Name: "writer_buffers", Unit: "buffers", Meaning: "that the background writer wrote from the end of the DELETE, to within a round of 0.2 s"}, {Name: "checkpointer_buffers", Unit: "buffers", Meaning: "that the checkpointer wrote meanwhile"},
		{Name: "answers_between", Meaning: "answers to who asked for the size that lie between before and after"}, {Name: "first_between_bytes", Unit: "bytes", Meaning: "the first of them"}, {Name: "longest_wait_s", Unit: "s", Meaning: "for an answer"},
		{Name: "vacuum_s", Unit: "s", Meaning: "that VACUUM took"},
		{Name: "pages_scanned", Unit: "pages"}, {Name: "pages_removed", Unit: "pages"}, {Name: "pages_remaining", Unit: "pages"},
		{Name: "rows_removed", Unit: "rows"}, {Name: "rows_held", Unit: "rows", Meaning: "dead, but not yet removable"}, {Name: "rows_missed", Unit: "rows", Meaning: "dead, on pages that were passed over"},
		{Name: "pages_missed", Unit: "pages", Meaning: "passed over for want of a cleanup lock"},
		{Name: "cuts", Meaning: "times that the table was made shorter"}, {Name: "yields", Meaning: "times that truncation was suspended for a waiting session"},
		{Name: "truncation", Text: true}, {Name: "reason", Text: true}}}

var timelineTable = runner.TableSpec{Name: "size_timeline", Title: "The table's files after the DELETE", Raw: true,
	Note:    "Read from the file system, which takes no lock and disturbs nobody. A row when the size changes, and the old size just before.",
	Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "trial"}, {Name: "after_delete_s", Unit: "s"}, {Name: "heap_bytes", Unit: "bytes", Meaning: "of the main fork"}}}

var answersTable = runner.TableSpec{Name: "size_answers", Title: "What the session was told that asked for the table's size", Raw: true,
	Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "trial"}, {Name: "after_delete_s", Unit: "s"}, {Name: "waited_s", Unit: "s"}, {Name: "table_bytes", Unit: "bytes", Meaning: "pg_table_size"}}}

// Reasons of cells without a value.
const (
	noReport    = "no report of VACUUM on the table could be read in the server's log"
	nobodyAsked = "nobody asked"
	noneBetween = "no answer lay between"
)

func (s *sourceRun) startTrialTables() {
	s.trials, s.timeline, s.answers = s.out.Table(trialsTable), s.out.Table(timelineTable), s.out.Table(answersTable)
}

// addTrial writes a trial down, also one that autovacuum never came to and one
// whose report was not to be had.
func (s *sourceRun) addTrial(t *trial) {
	for _, f := range t.files {
		s.timeline.Add(t.arm.name, t.number, f.after, f.bytes)
	}
	for _, a := range t.answers {
		s.answers.Add(t.arm.name, t.number, a.after, a.waited, a.bytes)
	}
	if t.arm.name == writerOff && t.writes.writer > 0 {
		s.out.Warn("%s: it wrote pages", t.name())
	}
	cells := []any{t.arm.name, t.number, t.before}
	missing := s.neverCame()
	if t.came {
		s.autovacuumed = append(s.autovacuumed, t)
		cells = append(append(cells, t.after, t.waited, t.writes.writer, t.writes.checkpointer), t.seen()...)
		missing = noReport
	}
	if t.reported {
		r := t.report
		s.trials.Add(append(cells, r.seconds, r.pagesScanned, r.pagesRemoved, r.pagesRemain, r.rowsRemoved, r.rowsHeld, r.rowsMissed, r.pagesMissed, r.cuts, r.yields, r.outcome(), r.reason())...)
		return
	}
	s.trials.Add(append(cells, none(len(trialsTable.Columns)-len(cells), missing)...)...)
	s.out.Warn("%s: %s", t.name(), missing)
}

// neverCame is why a trial has no size.
func (s *sourceRun) neverCame() string {
	return fmt.Sprintf("autovacuum did not run within %d s", s.lab.Knob("autovacuum_wait_s"))
}

// between are the answers that are neither the size before nor the one after.
func (t *trial) between() []answer {
	return slices.DeleteFunc(slices.Clone(t.answers), func(a answer) bool { return a.bytes <= t.after || a.bytes >= t.before })
}

func (t *trial) longestWait() (longest time.Duration) {
	for _, a := range t.answers {
		longest = max(longest, a.waited)
	}
	return longest
}

// seen are the cells on who asked for the size.
func (t *trial) seen() []any {
	if t.arm.name != sizeAsked {
		return none(3, nobodyAsked)
	}
	var first any = runner.NA{Reason: noneBetween}
	between := t.between()
	if len(between) > 0 {
		first = between[0].bytes
	}
	return []any{len(between), first, t.longestWait()}
}
