package softdelete

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// A removalWay is one way of taking rows out of readers' sight.
type removalWay struct {
	name      string // as in ways.csv
	database  string
	schema    string // file of fixtures/sql/softdelete that makes its database
	table     string // what statements name
	active    string // relation that holds the active rows
	removed   string // relation that holds the removed ones; "" when they have none of their own
	none      string // why the removed rows have no relation
	remove    string // file that removes the victims
	query     string // file that reads the newest active rows
	survivors string // file that reads all active rows
}

const noPlaceOfTheirOwn = "a hard-deleted row is nowhere; a soft-deleted one is in the heap and indexes of the active rows"

var removalWays = []removalWay{
	{"hard delete", "ways_orders", "schema", hard, hard, "", noPlaceOfTheirOwn, "remove_hard", "active_rows", "survivors"},
	{"soft delete", "ways_orders", "schema", soft, soft, "", noPlaceOfTheirOwn, "remove_soft", "active_rows", "survivors"},
	{"moved to another table", "ways_moved", "moved_schema", "orders", "orders", "deleted_orders", "", "remove_moved", "active_rows", "survivors"},
	{"partitioned", "ways_partitioned", "partitioned_schema", "orders", "orders_active", "orders_removed", "", "remove_partitioned", "active_rows_partitioned", "survivors_partitioned"},
}

func (w removalWay) relations() []string {
	if w.removed == "" {
		return []string{w.active}
	}
	return []string{w.active, w.removed}
}

// A wayRun is one way while it is churned.
type wayRun struct {
	removalWay
	conn    *pgx.Conn
	seconds []float64 // of each removal
	wal     []int64   // bytes of each removal
}

// thirdWay churns four ways in turns, cycle by cycle with the batches and
// victims of the corrected arm, and compares what they leave.
func (b *bench) thirdWay(ctx context.Context) error {
	cycles := b.lab.Knob("beyond_cycles")
	step := b.lab.Step("four ways to remove a row", cycles)
	defer step.Done()
	b.explainWays()
	conns, err := b.createWays(ctx)
	defer func() {
		for _, conn := range conns {
			conn.Close(context.WithoutCancel(ctx))
		}
	}()
	if err != nil {
		return err
	}
	var runs []*wayRun
	for _, w := range removalWays {
		runs = append(runs, &wayRun{removalWay: w, conn: conns[w.database]})
	}
	each := b.out.Table(wayRemovalsTable)
	seeds, turns := b.lab.Rand("churn/"+corrected), b.lab.Rand("ways")
	for cycle := range cycles {
		seed := seeds.Float64()
		for _, i := range turns.Perm(len(runs)) {
			if err := b.wayCycle(ctx, runs[i], cycle, seed, each); err != nil {
				return fmt.Errorf("cycle %d of %q: %w", cycle+1, runs[i].name, err)
			}
		}
		step.Advance(1)
	}
	if err := b.compareWays(ctx, runs); err != nil {
		return err
	}
	b.wayFigures()
	return nil
}

// createWays makes the databases and returns one session each, by database.
func (b *bench) createWays(ctx context.Context) (map[string]*pgx.Conn, error) {
	conns := map[string]*pgx.Conn{}
	admin, err := b.server.Connect(ctx)
	if err != nil {
		return conns, err
	}
	defer admin.Close(context.WithoutCancel(ctx))
	for _, w := range removalWays {
		if conns[w.database] != nil {
			continue
		}
		if _, err := admin.Exec(ctx, "CREATE DATABASE "+w.database); err != nil {
			return conns, fmt.Errorf("creating database %q: %w", w.database, err)
		}
		conn, err := b.connect(ctx, w.database)
		if err != nil {
			return conns, err
		}
		conns[w.database] = conn
		for _, file := range []string{w.schema, "order"} {
			if _, err := conn.Exec(ctx, statement(file, "")); err != nil {
				return conns, fmt.Errorf("preparing database %q with %s.sql: %w", w.database, file, err)
			}
		}
	}
	return conns, nil
}

// wayCycle inserts one batch, removes its victims and runs VACUUM.
func (b *bench) wayCycle(ctx context.Context, w *wayRun, cycle int, seed float64, each *runner.Table) error {
	insert := b.lab.Knob("insert")
	if _, err := w.conn.Exec(ctx, "SELECT setseed($1)", seed); err != nil {
		return err
	}
	if _, err := w.conn.Exec(ctx, statement("insert", w.table), insert); err != nil {
		return err
	}
	first, victims := int64(cycle*insert)+1, insert*b.lab.Knob("remove_percent")/100
	sql := statement("victims_corrected", w.table) + "\n" + statement(w.remove, w.table)
	before, err := walPosition(ctx, w.conn)
	if err != nil {
		return err
	}
	start := time.Now()
	tag, err := w.conn.Exec(ctx, sql, first, first+int64(insert)-1, victims)
	took := time.Since(start)
	if err != nil {
		return err
	}
	wal, err := walSince(ctx, w.conn, before)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != int64(victims) {
		return fmt.Errorf("removed %d rows, expected %d", tag.RowsAffected(), victims)
	}
	w.seconds, w.wal = append(w.seconds, took.Seconds()), append(w.wal, wal)
	var total int64
	for _, relation := range w.relations() {
		if err := vacuum(ctx, w.conn, relation, true); err != nil {
			return err
		}
		s, err := instrument.ReadSizes(ctx, w.conn, relation)
		if err != nil {
			return err
		}
		total += s.Total
	}
	each.Add(w.name, cycle+1, victims, took, wal, total)
	return nil
}

// compareWays proves that all ways hold the active rows of the corrected arm
// and writes down what each takes.
func (b *bench) compareWays(ctx context.Context, runs []*wayRun) error {
	want, err := b.wayDigest(ctx)
	if err != nil {
		return err
	}
	shared := min(b.lab.Knob("cycles"), b.lab.Knob("beyond_cycles"))
	survivors := b.out.Table(waySurvivorsTable)
	survivors.Add("corrected arm", shared, want.rows, want.digest)
	ways := b.out.Table(waysTable)
	for _, w := range runs {
		got, err := b.activeUpTo(ctx, w.conn, statement(w.survivors, w.table))
		if err != nil {
			return err
		}
		survivors.Add(w.name, shared, got.rows, got.digest)
		if got != want {
			return fmt.Errorf("%q holds %d active rows of the first %d cycles with the digest %s and the corrected arm %d with %s: they cannot be compared",
				w.name, got.rows, shared, got.digest, want.rows, want.digest)
		}
		if err := b.addWay(ctx, w, ways); err != nil {
			return fmt.Errorf("measuring %q: %w", w.name, err)
		}
	}
	return nil
}

// A digested is a set of rows as its digest tells it.
type digested struct {
	rows   int64
	digest string
}

// wayDigest is of the corrected arm, which has run the same cycles.
func (b *bench) wayDigest(ctx context.Context) (digested, error) {
	conn, err := b.connect(ctx, corrected)
	if err != nil {
		return digested{}, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return b.activeUpTo(ctx, conn, statement("survivors", soft))
}

// activeUpTo digests the active rows of the cycles that both the ways and the
// corrected arm have run: a later cycle changes no row of an earlier one.
func (b *bench) activeUpTo(ctx context.Context, conn *pgx.Conn, survivors string) (digested, error) {
	last := min(b.lab.Knob("cycles"), b.lab.Knob("beyond_cycles")) * b.lab.Knob("insert")
	var d digested
	var err error
	d.rows, d.digest, err = instrument.Digest(ctx, conn, fmt.Sprintf("SELECT * FROM (%s) s WHERE id <= %d", survivors, last))
	return d, err
}

func (b *bench) addWay(ctx context.Context, w *wayRun, ways *runner.Table) error {
	sql := statement(w.query, w.table)
	e, err := instrument.Explain(ctx, w.conn, sql)
	if err != nil {
		return err
	}
	again, err := e.Again(ctx, w.conn)
	if err != nil {
		return err
	}
	buffers := func(e instrument.Explained) int64 { return e.Root.SharedHit + e.Root.SharedRead }
	if again.RowsRemoved() != e.RowsRemoved() || buffers(again) != buffers(e) {
		b.out.Warn("%s: repeats of the active rows differ: %d and %d rows removed, %d and %d buffers", w.name,
			e.RowsRemoved(), again.RowsRemoved(), buffers(e), buffers(again))
	}
	b.out.Plan(runner.Plan{Name: "explain_active_rows_" + w.active + "_ways", Title: "active rows, " + w.name, SQL: sql, Text: e.Text})
	s, err := instrument.ReadSizes(ctx, w.conn, w.active)
	if err != nil {
		return err
	}
	var rows int64
	if err := w.conn.QueryRow(ctx, "SELECT count(*) FROM ("+statement(w.survivors, w.table)+") s").Scan(&rows); err != nil {
		return err
	}
	away, total, err := w.removedSide(ctx, s.Total)
	if err != nil {
		return err
	}
	var wal int64
	for _, n := range w.wal {
		wal += n
	}
	row := append([]any{w.name, s.Heap, s.PK + s.Secondary}, away...)
	ways.Add(append(row, total, rows, e.Nodes(), e.RowsRemoved(), buffers(e), wal, slices.Min(w.wal), slices.Max(w.wal),
		stat.Median(w.seconds), slices.Min(w.seconds), slices.Max(w.seconds))...)
	return nil
}

// removedSide returns the cells on the removed rows and the total of both
// sides.
func (w *wayRun) removedSide(ctx context.Context, active int64) (cells []any, total int64, err error) {
	if w.removed == "" {
		none := runner.NA{Reason: w.none}
		return []any{none, none, none}, active, nil
	}
	s, err := instrument.ReadSizes(ctx, w.conn, w.removed)
	if err != nil {
		return nil, 0, err
	}
	var rows int64
	if err := w.conn.QueryRow(ctx, "SELECT count(*) FROM "+w.removed).Scan(&rows); err != nil {
		return nil, 0, fmt.Errorf("counting the rows of %q: %w", w.removed, err)
	}
	return []any{s.Heap, s.PK + s.Secondary, rows}, active + s.Total, nil
}
