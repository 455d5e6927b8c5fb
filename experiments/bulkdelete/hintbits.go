package bulkdelete

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// vacuums is the last phase; the others are the statements of a sequence.
const vacuums = "VACUUM"

var hintPhasesTable = runner.TableSpec{Name: "hint_phases", Title: "A SELECT that prunes and one that only sets hint bits",
	Note: "The same table and DELETE, twice in each case on fresh loads. Where another session holds xmin, its REPEATABLE READ transaction is older than the DELETE, so that no SELECT may prune. A CHECKPOINT goes before the DELETE and another before the first SELECT; full_page_writes is on here: it was set after the start at which the servers' settings were read, and each line has it as it was. Bytes by kind are those of pg_walinspect, so together they are more than pg_stat_statements counts for the statement by what others and the commit wrote. VACUUM writes images of catalog pages too, which are not the same after two loads. The figure is of the first time.",
	Columns: []runner.Column{
		{Name: "case", Text: true, Meaning: "phase"}, {Name: "data_checksums", Text: true}, {Name: "xmin_held", Text: true, Meaning: "by another session"}, {Name: "phase", Text: true}, {Name: "repeat", Meaning: "from 1, on a fresh load"}, {Name: "full_page_writes", Text: true},
		{Name: "seconds", Unit: "s", Meaning: "one time"}, {Name: "dirtied_pages", Unit: "pages"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "WAL of the statement"}, {Name: "wal_records"}, {Name: "full_page_images"},
		{Name: "inspected_bytes", Unit: "bytes", Meaning: "WAL by record type"},
		{Name: "delete_bytes", Unit: "bytes", Meaning: "deleted rows"}, {Name: "prune_bytes", Unit: "bytes", Meaning: "pruned pages"}, {Name: "hint_bytes", Unit: "bytes", Meaning: "images for hint bits"},
		{Name: "vacuum_bytes", Unit: "bytes", Meaning: "line pointers freed"}, {Name: "visible_bytes", Unit: "bytes", Meaning: "visibility map"}, {Name: "other_bytes", Unit: "bytes", Meaning: "anything else"}}}

var hintRecordsTable = runner.TableSpec{Name: "hint_records", Title: "WAL record types of each phase, as pg_walinspect names them",
	Columns: []runner.Column{{Name: "data_checksums", Text: true}, {Name: "xmin_held", Text: true}, {Name: "phase", Text: true}, {Name: "repeat", Meaning: "from 1"}, {Name: "record_type", Text: true},
		{Name: "records"}, {Name: "record_bytes", Unit: "bytes", Meaning: "without images"}, {Name: "image_bytes", Unit: "bytes", Meaning: "full-page images"}}}

// A hintCase is who may prune and what hint bits write.
type hintCase struct {
	server    asideServer
	checksums string
	held      bool
	repeat    int    // from 1
	first     []cost // of the phases the first time
}

var hintCases = []hintCase{
	{server: plainServer, checksums: "off"}, {server: plainServer, checksums: "off", held: true},
	{server: checkedServer, checksums: "on"}, {server: checkedServer, checksums: "on", held: true},
}

// hintBits tells the two kinds of first SELECT apart by what they write.
func (a *asides) hintBits(ctx context.Context) error {
	if err := a.ready(ctx, plainServer, checkedServer); err != nil {
		return err
	}
	step := a.lab.Step("pruning and hint bits", len(hintCases)*sequenceRepeats)
	defer step.Done()
	phases, records := a.out.Table(hintPhasesTable), a.out.Table(hintRecordsTable)
	for _, c := range hintCases {
		for repeat := range sequenceRepeats {
			c.repeat = repeat + 1
			costs, err := a.hintCase(ctx, c, phases, records)
			if err != nil {
				return fmt.Errorf("telling hint bits from pruning, checksums %s: %w", c.checksums, err)
			}
			a.compareHints(&c, costs)
			step.Advance(1)
		}
	}
	a.hintFigure()
	a.concludeHints(phases)
	return nil
}

// compareHints keeps what the phases cost the first time and holds the second
// against it.
func (a *asides) compareHints(c *hintCase, costs []cost) {
	if c.repeat == 1 {
		c.first = costs
		return
	}
	for i, name := range []string{deletes, firstSelect, secondSelect, vacuums} {
		a.compareRepeats(fmt.Sprintf("hint_phases: %s, data checksums %s, xmin held %v", name, c.checksums, c.held), c.first[i], costs[i])
	}
}

// hintCase runs the phases of one case on a fresh load.
func (a *asides) hintCase(ctx context.Context, c hintCase, phases, records *runner.Table) ([]cost, error) {
	conn, err := a.on(ctx, c.server)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := setFullPageWrites(ctx, conn, "on"); err != nil {
		return nil, err
	}
	if err := load(ctx, conn, asideTable, a.lab.Knob("aside_rows"), sourcePayload); err != nil {
		return nil, err
	}
	if c.held {
		holder, err := a.holdSnapshot(ctx, c.server)
		if err != nil {
			return nil, err
		}
		defer holder.Close(context.WithoutCancel(ctx))
	}
	costs, err := a.hintPhases(ctx, conn, c, phases, records)
	if err != nil {
		return nil, err
	}
	return costs, postgres.Execute(ctx, conn, "DROP TABLE "+asideTable)
}

// holdSnapshot opens a session with a snapshot that stays until it is closed.
func (a *asides) holdSnapshot(ctx context.Context, server asideServer) (*pgx.Conn, error) {
	conn, err := a.running[server.name].Connect(ctx)
	if err != nil {
		return nil, err
	}
	var holds bool
	err = postgres.Execute(ctx, conn, "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT 1")
	if err == nil {
		err = conn.QueryRow(ctx, "SELECT backend_xmin IS NOT NULL FROM pg_stat_activity WHERE pid = pg_backend_pid()").Scan(&holds)
	}
	if err == nil && !holds {
		err = errors.New("the session has no backend_xmin")
	}
	if err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("holding xmin: %w", err)
	}
	return conn, nil
}

// hintPhases measures each phase and what WAL says of it.
func (a *asides) hintPhases(ctx context.Context, conn *pgx.Conn, c hintCase, phases, records *runner.Table) ([]cost, error) {
	images, err := settingOf(ctx, conn, "full_page_writes")
	if err != nil {
		return nil, err
	}
	var costs []cost
	defer a.lab.Watch("hint bits")()
	for _, p := range []struct {
		name, before, sql string
		rows              int64
	}{
		{deletes, "CHECKPOINT", "DELETE FROM " + asideTable, int64(a.lab.Knob("aside_rows"))},
		{firstSelect, "CHECKPOINT", "SELECT * FROM " + asideTable, 0},
		{secondSelect, "", "SELECT * FROM " + asideTable, 0},
		{vacuums, "", "VACUUM " + asideTable, 0},
	} {
		if p.before != "" {
			if err := postgres.Execute(ctx, conn, p.before); err != nil {
				return nil, err
			}
		}
		took, err := measureRows(ctx, conn, p.sql, p.rows)
		if err != nil {
			return nil, err
		}
		wrote, err := walRecords(ctx, conn, took.from)
		if err != nil {
			return nil, err
		}
		addHintPhase(phases, c, p.name, images, took, wrote)
		for _, w := range wrote {
			records.Add(c.checksums, c.held, p.name, c.repeat, w.name, w.count, w.bytes, w.images)
		}
		costs = append(costs, took)
	}
	return costs, nil
}

// addHintPhase adds a row with the bytes of each kind.
func addHintPhase(t *runner.Table, c hintCase, phase, images string, took cost, wrote []walRecord) {
	kinds := map[string]int64{}
	var all int64
	for _, w := range wrote {
		kinds[w.kind()] += w.bytes + w.images
		all += w.bytes + w.images
	}
	name := phase
	if c.held {
		name += ", xmin held"
	}
	t.Add(name, c.checksums, c.held, phase, c.repeat, images, took.seconds, took.dirtied, took.walBytes, took.walRecords, took.walImages, all,
		kinds[kindDelete], kinds[kindPrune], kinds[kindHint], kinds[kindVacuum], kinds[kindVisible], kinds[kindOther])
}
