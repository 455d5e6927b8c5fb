package bulkdelete

import (
	"context"
	"fmt"

	"deletecost/runner"
)

// What marks a change of hint bits as one that WAL must know.
const (
	noProtection = "neither"
	byChecksums  = "data checksums"
	byHints      = "wal_log_hints"
)

// The statements of a sequence.
const (
	deletes      = "DELETE"
	firstSelect  = "first SELECT"
	secondSelect = "second SELECT"
)

// sequenceRepeats is how often each sequence runs, on a fresh load each time.
const sequenceRepeats = 2

// A settingCell is one field of the matrix.
type settingCell struct {
	server     asideServer
	protection string
	images     string // full_page_writes
	always     bool   // at every scale: full_page_writes off as in the source, and the defaults of 18
}

var settingCells = []settingCell{
	{plainServer, noProtection, "off", true},
	{plainServer, noProtection, "on", false},
	{checkedServer, byChecksums, "off", false},
	{checkedServer, byChecksums, "on", true},
	{hintsServer, byHints, "off", false},
	{hintsServer, byHints, "on", false},
}

var settingsTable = runner.TableSpec{Name: "settings_matrix", Title: "The same DELETE and the SELECTs after it, by the settings that decide what WAL they write",
	Note: "full_page_writes is what each line says, set and reloaded after the start at which the servers' settings were read. WAL, pages and rows are those that pg_stat_statements counts. A CHECKPOINT goes before the DELETE; in half of the sequences another one goes between it and the first SELECT. A page counts as dirtied only when it was clean: without that checkpoint the DELETE has left it dirty, unless it was written out meanwhile, and the SELECT changes it once more. Each line was timed one time: its seconds have no range and no ratio is made of them.",
	Columns: []runner.Column{
		{Name: "page_protection", Text: true, Meaning: "what makes changed hint bits write WAL"}, {Name: "full_page_writes", Text: true},
		{Name: "checkpoint_between", Text: true, Meaning: "between the DELETE and the first SELECT"}, {Name: "statement", Text: true}, {Name: "repeat", Meaning: "from 1, on a fresh load"},
		{Name: "rows", Unit: "rows", Meaning: "deleted, or found by the SELECT"}, {Name: "seconds", Unit: "s", Meaning: "one time"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "WAL"}, {Name: "wal_records"}, {Name: "full_page_images"},
		{Name: "dirtied_pages", Unit: "pages"}, {Name: "written_pages", Unit: "pages", Meaning: "that the statement itself wrote out"}}}

// settingsMatrix executes the same sequence under each pair of settings.
func (a *asides) settingsMatrix(ctx context.Context) error {
	a.describeAsides()
	for _, cell := range settingCells {
		if !a.measures(cell) {
			continue
		}
		if err := a.ready(ctx, cell.server); err != nil {
			return err
		}
	}
	step := a.lab.Step("the settings that decide", 2*len(settingCells))
	defer step.Done()
	t := a.out.Table(settingsTable)
	for _, cell := range settingCells {
		for _, between := range []bool{false, true} {
			step.Advance(1)
			if !a.measures(cell) {
				unmeasuredCell(t, cell, between)
				continue
			}
			if err := a.settingSequences(ctx, t, cell, between); err != nil {
				return fmt.Errorf("deleting with %s and full_page_writes %s: %w", cell.protection, cell.images, err)
			}
		}
	}
	if a.lab.Knob("every_setting") == 0 {
		a.out.NotShown("Other pairs of data checksums, wal_log_hints and full_page_writes than the two shown (full_page_writes off as in the source, and without checksums; the default of 18), and the rarer pairs of indexes and REPLICA IDENTITY: every_setting is off, as it is below the published scale.")
	}
	a.settingsFigure()
	a.concludeSettings(t)
	return nil
}

// measures says whether a pair is run at this scale.
func (a *asides) measures(cell settingCell) bool {
	return cell.always || a.lab.Knob("every_setting") == 1
}

// unmeasuredCell holds the place of a pair that this scale leaves out.
func unmeasuredCell(t *runner.Table, cell settingCell, between bool) {
	for _, statement := range []string{deletes, firstSelect, secondSelect} {
		row := []any{cell.protection, cell.images, between, statement, 1}
		for len(row) < len(t.Columns) {
			row = append(row, runner.NA{Reason: "pairs of settings other than full_page_writes off without checksums and the default of 18 are measured with every_setting, as at the published scale"})
		}
		t.Add(row...)
	}
}

// settingSequences repeats one sequence and warns where counts differ.
func (a *asides) settingSequences(ctx context.Context, t *runner.Table, cell settingCell, between bool) error {
	conn, err := a.on(ctx, cell.server)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := setFullPageWrites(ctx, conn, cell.images); err != nil {
		return err
	}
	var first []cost
	for repeat := range sequenceRepeats {
		stop := a.lab.Watch("settings: " + cell.protection + ", full_page_writes " + cell.images)
		done, err := deleteSequence(ctx, conn, a.lab.Knob("aside_rows"), between)
		if stop(); err != nil {
			return err
		}
		for i, statement := range []string{deletes, firstSelect, secondSelect} {
			c := done[i]
			t.Add(cell.protection, cell.images, between, statement, repeat+1, c.rows, c.seconds, c.walBytes, c.walRecords, c.walImages, c.dirtied, c.written)
			if repeat > 0 {
				a.compareRepeats(fmt.Sprintf("settings_matrix: %s with %s, full_page_writes %s, checkpoint between %v", statement, cell.protection, cell.images, between), first[i], c)
			}
		}
		if first == nil {
			first = done
		}
	}
	return nil
}
