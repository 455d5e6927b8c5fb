package bulkdelete

import (
	"fmt"
	"strings"

	"deletecost/runner"
)

// ran is the row of an arm in the summary, if autovacuum came to one of its
// trials.
func (s *sourceRun) ran(arm string) (row int, ok bool) {
	row, ok = s.summary.Find(map[string]string{"arm": arm})
	return row, ok && s.summary.Text(row, "trials") != "0"
}

// sizeFinding is the claim on the size after autovacuum: undisturbed it is
// judged, asked for it is shown.
func (s *sourceRun) sizeFinding() {
	quiet, ok := s.ran(undisturbed)
	if !ok {
		s.out.NotMeasured("s3.size_after_autovacuum", s.neverCame())
		return
	}
	why := runner.Say(s.pace())
	var refs []runner.Ref
	for _, part := range []struct{ arm, label string }{{undisturbed, undisturbed}, {sizeAsked, "while asked"}} {
		row, _ := s.summary.Find(map[string]string{"arm": part.arm}) // without a trial it is n/a
		refs = append(refs, s.summary.RefRange(row, "median_bytes", "low_bytes", "high_bytes").Named(part.label))
		why = joined(why, s.armSentence(part.arm, row))
	}
	why = joined(why, s.betweenSentence())
	writer, shown := s.writerSentence()
	s.out.Measured("s3.size_after_autovacuum", joined(why, writer), refs...)
	s.concludeTrials(quiet)
	if shown {
		s.out.Conclude(runner.Sentence{Text: begun(writer.Text) + ".", Refs: writer.Refs})
	}
}

// joined puts one sentence behind another, if it says something.
func joined(a, b runner.Sentence) runner.Sentence {
	if b.Text == "" {
		return a
	}
	return runner.Sentence{Text: a.Text + ". " + begun(b.Text), Refs: append(a.Refs, b.Refs...)}
}

// begun has a sentence of plain letters begin with a capital one.
func begun(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// pace says how often and at which pace autovacuum was tried.
func (s *sourceRun) pace() string {
	times := "once each"
	if n := s.lab.Knob("trials"); n > 1 {
		times = fmt.Sprintf("%d times each", n)
	}
	delay := "no cost delay"
	if ms := s.lab.Knob("cost_delay_ms"); ms > 0 {
		delay = fmt.Sprintf("a cost delay of %d ms", ms)
	}
	return fmt.Sprintf("%s, with naptime %d s and %s", times, s.lab.Knob("naptime_s"), delay)
}

// armSentence is what VACUUM did in all trials of an arm.
func (s *sourceRun) armSentence(arm string, row int) runner.Sentence {
	columns, size := []string{"trials", "emptied", "least_bytes"}, "{}"
	if s.differ(row) {
		columns, size = append(columns, "greatest_bytes"), "from {} to {}"
	}
	var refs []runner.Ref
	for _, column := range append(columns, "with_missed_pages", "greatest_pages_missed", "lock_refused", "yields") {
		refs = append(refs, s.summary.Ref(row, column))
	}
	return runner.Say(arm+": trials {}, given back whole {}, size "+size+", trials with pages missed for want of a cleanup lock {} (at the most {}), without the lock for truncating {}, gave way to waiting sessions {} times", refs...)
}

// differ says whether an arm's trials ended at different sizes.
func (s *sourceRun) differ(row int) bool {
	return s.summary.Text(row, "least_bytes") != s.summary.Text(row, "greatest_bytes")
}

// betweenSentence is what looks in the middle were told.
func (s *sourceRun) betweenSentence() runner.Sentence {
	row, ok := s.ran(sizeAsked)
	if !ok || s.summary.Text(row, "answers_between") == "0" {
		return runner.Sentence{}
	}
	return runner.Say("A question that comes while VACUUM truncates waits until it has cut off what it found empty so far, and is told what is left: answers in between {}, from {} to {}",
		s.summary.Ref(row, "answers_between"), s.summary.Ref(row, "least_between_bytes"), s.summary.Ref(row, "greatest_between_bytes"))
}

// concludeTrials answers what became of the space.
func (s *sourceRun) concludeTrials(quiet int) {
	at := func(column string) runner.Ref { return s.summary.Ref(quiet, column) }
	after := runner.Say("After autovacuum had run and nobody had looked: {}", at("median_bytes"))
	if s.differ(quiet) {
		after = runner.Say("After autovacuum had run and nobody had looked: {} to {}, the median {}", at("least_bytes"), at("greatest_bytes"), at("median_bytes"))
	}
	after.Text += ", of {} before (" + s.pace() + "). The source read 827 MB, by which PostgreSQL means MiB."
	after.Refs = append(after.Refs, s.trials.Ref(0, "size_before_bytes"))
	s.out.Conclude(after)
	var parts []string
	var refs []runner.Ref
	for _, arm := range []string{undisturbed, sizeAsked, writerOff} {
		if row, ok := s.ran(arm); ok {
			parts = append(parts, "{} of {} "+arm)
			refs = append(refs, s.summary.Ref(row, "emptied"), s.summary.Ref(row, "reports"))
		}
	}
	s.out.Conclude(runner.Say("Trials that gave the whole table back: "+strings.Join(parts, ", ")+".", refs...))
	if row, ok := s.ran(sizeAsked); ok && s.summary.Text(row, "answers_between") != "0" {
		s.out.Conclude(runner.Say("A session that asked while VACUUM truncated the table was told sizes from {} to {} (answers in between: {}). VACUUM gave way to waiting sessions {} times, and the longest wait for an answer was {}.",
			s.summary.Ref(row, "least_between_bytes"), s.summary.Ref(row, "greatest_between_bytes"), s.summary.Ref(row, "answers_between"), s.summary.Ref(row, "yields"), s.summary.Ref(row, "longest_wait_s")))
	}
}

// autovacuumFigures show the distribution and one trial of each arm.
func (s *sourceRun) autovacuumFigures() {
	s.out.Figure(runner.Figure{Name: "bulk_size_after", Title: "Size of the table before the DELETE and after autovacuum has run, trial by trial",
		HowToRead: "One point a trial for each moment. Where both are at one size VACUUM kept the whole table; the further apart, the more it gave back. The source read 827 MB, once.",
		Layers: []runner.Layer{{Mark: runner.Points, Table: trialsTable.Name, X: "arm", Y: "size_after_bytes", Label: "size after autovacuum"},
			{Mark: runner.Points, Table: trialsTable.Name, X: "arm", Y: "size_before_bytes", Label: "size before the DELETE"}}})
	layers := []runner.Layer{{Mark: runner.Line, Table: timelineTable.Name, X: "after_delete_s", Y: "heap_bytes", By: "arm", Where: map[string]string{"trial": "1"}}}
	if _, ok := s.ran(sizeAsked); ok {
		layers = append(layers, runner.Layer{Mark: runner.Points, Table: answersTable.Name, X: "after_delete_s", Y: "table_bytes", Label: "answers to who asked", Where: map[string]string{"trial": "1"}})
	}
	s.out.Figure(runner.Figure{Name: "bulk_size_timeline", Title: "Size of the table from the DELETE until autovacuum has run",
		HowToRead: "The first trial of each arm. Lines are the table's files as the file system has them, which takes no lock; points are what a session was told that asked the server, and so made it wait. A step down is what was cut off between two looks.",
		Layers:    layers})
}

// describeTrials says how the trials went and what they leave open.
func (s *sourceRun) describeTrials() {
	s.out.Explain(fmt.Sprintf("Autovacuum: each arm of the trials on tables of %d rows, %s (the defaults are 60 s and 2 ms). Nothing is waited for but the count of autovacuum's runs of this table, which takes no lock on it; the size is read once then. Why a table kept its size is what VACUUM itself reported in the server's log, where its messages on truncating are switched on for the database of the trial, and those on checkpoints are off.",
		s.lab.Knob("rows"), s.pace()))
	var left []string
	for _, arm := range trialArms()[s.lab.Knob("trial_arms"):] {
		left = append(left, arm.name)
	}
	if len(left) > 0 {
		s.out.NotShown("The size after autovacuum with " + strings.Join(left, ", ") + ": at scale published.")
	}
	if s.lab.Knob("naptime_s") != 60 || s.lab.Knob("cost_delay_ms") != 2 {
		s.out.NotShown("The size after autovacuum at the default pace of autovacuum: at scale published.")
	}
}
