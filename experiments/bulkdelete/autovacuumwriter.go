package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// pageWrites are pages that were written behind the backs of sessions.
type pageWrites struct{ writer, checkpointer int64 }

// readWrites reads what the background writer and the checkpointer have told.
func (s *sourceRun) readWrites(ctx context.Context) (w pageWrites, err error) {
	version, err := strconv.Atoi(s.admin.PgConn().ParameterStatus("server_version")[:2])
	if err != nil {
		return w, fmt.Errorf("reading the server's version: %w", err)
	}
	file := "autovacuum_writes"
	if version < 17 {
		file = "autovacuum_writes_16" // pg_stat_checkpointer is new in 17
	}
	if err := s.admin.QueryRow(ctx, runner.Statement("bulkdelete", file)).Scan(&w.writer, &w.checkpointer); err != nil {
		return w, fmt.Errorf("reading who wrote pages: %w", err)
	}
	return w, nil
}

// writerTells waits for longer than a round of the background writer, at whose
// end it tells what it wrote; bgwriter_delay is 0.2 s.
const writerTells = "SELECT pg_sleep(0.3)"

// wrote is what was written since the first reading.
func (t *trial) wrote(ctx context.Context, since pageWrites) error {
	if err := postgres.Execute(ctx, t.admin, writerTells); err != nil {
		return err
	}
	now, err := t.readWrites(ctx)
	t.writes = pageWrites{now.writer - since.writer, now.checkpointer - since.checkpointer}
	return err
}

// stopWriter keeps the background writer from writing, and gives the server its
// own setting back at the end.
func stopWriter(ctx context.Context, t *trial) (func() error, error) {
	var own string
	if err := t.admin.QueryRow(ctx, "SHOW bgwriter_lru_maxpages").Scan(&own); err != nil {
		return nil, fmt.Errorf("reading bgwriter_lru_maxpages: %w", err)
	}
	undo := func() error {
		return t.setWriter(context.WithoutCancel(ctx), "ALTER SYSTEM RESET bgwriter_lru_maxpages", own)
	}
	err := t.setWriter(ctx, "ALTER SYSTEM SET bgwriter_lru_maxpages = 0", "0")
	if err == nil {
		err = postgres.Execute(ctx, t.admin, writerTells) // what it wrote before
	}
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	return undo, nil
}

// setWriter executes the statement and waits until the server has read it.
func (t *trial) setWriter(ctx context.Context, sql, want string) error {
	if err := postgres.Execute(ctx, t.admin, sql, "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	if err := awaitTrue(ctx, t.admin, "SELECT current_setting('bgwriter_lru_maxpages') = '"+want+"'"); err != nil {
		return err
	}
	// A new session has what the postmaster has, as has the background writer.
	fresh, err := t.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer fresh.Close(context.WithoutCancel(ctx))
	var is string
	if err := fresh.QueryRow(ctx, "SHOW bgwriter_lru_maxpages").Scan(&is); err != nil {
		return fmt.Errorf("reading bgwriter_lru_maxpages: %w", err)
	}
	if is != want {
		return fmt.Errorf("executing %q: bgwriter_lru_maxpages is %q afterwards, expected %q", sql, is, want)
	}
	return nil
}

var writerTable = runner.TableSpec{Name: "autovacuum_writer", Title: "Pages that VACUUM passed over, by the background writer",
	Note: "As the server has it: the trials undisturbed and with the size asked. Off: those with bgwriter_lru_maxpages 0.",
	Columns: []runner.Column{{Name: "background_writer", Text: true}, {Name: "trials", Meaning: "with a report of VACUUM"}, {Name: "with_missed_pages", Meaning: "trials"},
		{Name: "pages_missed", Unit: "pages", Meaning: "of all trials"}, {Name: "buffers_written", Unit: "buffers", Meaning: "by the background writer, from the end of the DELETE"}}}

// Rows of writerTable.
const (
	writerAsSet = iota
	writerStopped
)

// compareWriter adds up the trials with the background writer and without.
func (s *sourceRun) compareWriter() {
	s.writer = s.out.Table(writerTable)
	for _, group := range []struct {
		name string
		arms []string
	}{writerAsSet: {"as the server has it", []string{undisturbed, sizeAsked}}, writerStopped: {"off", []string{writerOff}}} {
		var trials, with int
		var missed, written int64
		for _, arm := range group.arms {
			for _, t := range s.reported(arm) {
				trials++
				missed += t.report.pagesMissed
				written += t.writes.writer
				if t.report.pagesMissed > 0 {
					with++
				}
			}
		}
		if trials == 0 {
			none := runner.NA{Reason: "no such trial"}
			s.writer.Add(group.name, 0, none, none, none)
			continue
		}
		s.writer.Add(group.name, trials, with, missed, written)
	}
}

// writerSentence says what the trials show of the background writer as the one
// who held pages that VACUUM wanted; shown is false when they show nothing.
func (s *sourceRun) writerSentence() (sentence runner.Sentence, shown bool) {
	is := func(row int, column, text string) bool { return s.writer.Text(row, column) == text }
	on := func(column string) runner.Ref { return s.writer.Ref(writerAsSet, column) }
	off := func(column string) runner.Ref { return s.writer.Ref(writerStopped, column) }
	with := "trials with missed pages: {} of {} while the background writer wrote {}"
	refs := []runner.Ref{on("with_missed_pages"), on("trials"), on("buffers_written")}
	both := append(refs, off("with_missed_pages"), off("trials"))
	switch {
	case is(writerAsSet, "trials", "0"):
		return runner.Say("no report of VACUUM could be read, so that this run does not show whether the background writer holds pages"), false
	case is(writerAsSet, "with_missed_pages", "0"):
		return runner.Say("no page was missed (trials: {}), so that this run does not show whether the background writer, which pins a page while it writes it, keeps VACUUM off pages", on("trials")), false
	case is(writerAsSet, "buffers_written", "0"):
		return runner.Say(with+": something else held them", refs...), true
	case is(writerStopped, "trials", "0") || !is(writerStopped, "buffers_written", "0"):
		return runner.Say(with+"; not compared with trials in which it wrote nothing", refs...), true
	case is(writerStopped, "with_missed_pages", "0"):
		return runner.Say(with+", {} of {} with it off: consistent with a background writer that pins the pages it writes", both...), true
	}
	return runner.Say(with+", {} of {} with it off: it is not the only one who held pages", both...), true
}
