package softdelete

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"deletecost/runner"
	"deletecost/runner/instrument"
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
	total   int64     // bytes of both sides after the last VACUUM
}

// thirdWay churns four ways in turns, cycle by cycle with the batches and
// victims of the corrected arm, and compares what they leave.
func (b *bench) thirdWay(ctx context.Context) error {
	cycles := b.lab.Knob("beyond_cycles")
	step := b.lab.Step("four ways to remove a row", cycles)
	defer step.Done()
	b.explainWays()
	runs, err := b.startWays(ctx)
	defer func() {
		for _, w := range runs {
			w.conn.Close(context.WithoutCancel(ctx))
		}
	}()
	if err != nil {
		return err
	}
	each := b.out.Table(wayRemovalsTable)
	seeds, turns := b.lab.Rand("churn/"+corrected), b.lab.Rand("ways")
	for cycle := range cycles {
		if err := b.wayCycle(ctx, runs, cycle, seeds.Float64(), turns.Perm(len(runs)), each); err != nil {
			return fmt.Errorf("cycle %d: %w", cycle+1, err)
		}
		step.Advance(1)
	}
	if err := b.compareWays(ctx, runs); err != nil {
		return err
	}
	b.wayFigures()
	return nil
}

// startWays makes the databases and returns a session for each way, also when
// it fails.
func (b *bench) startWays(ctx context.Context) ([]*wayRun, error) {
	var runs []*wayRun
	made := map[string]bool{}
	for _, w := range removalWays {
		prepare := []string{w.schema, "order"}
		if made[w.database] {
			prepare = []string{"order"}
		} else if err := b.createDatabases(ctx, []arm{{database: w.database}}); err != nil {
			return runs, err
		}
		made[w.database] = true
		conn, err := b.connect(ctx, w.database)
		if err != nil {
			return runs, err
		}
		runs = append(runs, &wayRun{removalWay: w, conn: conn})
		for _, file := range prepare {
			if _, err := conn.Exec(ctx, statement(file, "")); err != nil {
				return runs, fmt.Errorf("preparing database %q with %s.sql: %w", w.database, file, err)
			}
		}
	}
	return runs, nil
}

// wayCycle lets every way insert, then remove in turn, then run VACUUM. Only
// the removals are timed and run alone; the rest goes two at a time.
func (b *bench) wayCycle(ctx context.Context, runs []*wayRun, cycle int, seed float64, order []int, each *runner.Table) error {
	insert := b.lab.Knob("insert")
	victims := insert * b.lab.Knob("remove_percent") / 100
	err := twoAtATime(ctx, runs, func(ctx context.Context, w *wayRun) error { return w.insert(ctx, seed, insert) })
	if err != nil {
		return err
	}
	for _, i := range order {
		stop := b.lab.Watch("removal: " + runs[i].name)
		err := runs[i].removeVictims(ctx, int64(cycle*insert)+1, insert, victims)
		if stop(); err != nil {
			return fmt.Errorf("removing, %s: %w", runs[i].name, err)
		}
	}
	if err := twoAtATime(ctx, runs, func(ctx context.Context, w *wayRun) error { return w.vacuum(ctx) }); err != nil {
		return err
	}
	for _, i := range order {
		w := runs[i]
		each.Add(w.name, cycle+1, victims, w.seconds[cycle], w.wal[cycle], w.total)
	}
	return nil
}

// twoAtATime does something in two databases at a time, and in one database
// way by way: the snapshot of one's ANALYZE would keep VACUUM from the dead
// rows of the other.
func twoAtATime(ctx context.Context, runs []*wayRun, do func(context.Context, *wayRun) error) error {
	together, ctx := errgroup.WithContext(ctx)
	together.SetLimit(2)
	for _, ways := range byDatabase(runs) {
		together.Go(func() error {
			for _, w := range ways {
				if err := do(ctx, w); err != nil {
					return fmt.Errorf("%s: %w", w.name, err)
				}
			}
			return nil
		})
	}
	return together.Wait()
}

func byDatabase(runs []*wayRun) map[string][]*wayRun {
	groups := map[string][]*wayRun{}
	for _, w := range runs {
		groups[w.database] = append(groups[w.database], w)
	}
	return groups
}

// insert adds one batch; the same seed gives every way the same rows.
func (w *wayRun) insert(ctx context.Context, seed float64, rows int) error {
	if _, err := w.conn.Exec(ctx, "SELECT setseed($1)", seed); err != nil {
		return err
	}
	_, err := w.conn.Exec(ctx, statement("insert", w.table), rows)
	return err
}

// removeVictims times the removal of some rows of the batch. The session draws
// them where its insert stopped drawing.
func (w *wayRun) removeVictims(ctx context.Context, first int64, insert, victims int) error {
	sql := statement("victims_corrected", w.table) + "\n" + statement(w.remove, w.table)
	before, err := instrument.WALPosition(ctx, w.conn)
	if err != nil {
		return err
	}
	start := time.Now()
	tag, err := w.conn.Exec(ctx, sql, first, first+int64(insert)-1, victims)
	took := time.Since(start)
	if err != nil {
		return err
	}
	after, err := instrument.WALPosition(ctx, w.conn)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != int64(victims) {
		return fmt.Errorf("removed %d rows, expected %d", tag.RowsAffected(), victims)
	}
	w.seconds, w.wal = append(w.seconds, took.Seconds()), append(w.wal, after-before)
	return nil
}

// vacuum treats every table of the way and reads the space of all.
func (w *wayRun) vacuum(ctx context.Context) error {
	w.total = 0
	for _, relation := range w.relations() {
		if err := vacuum(ctx, w.conn, relation, true); err != nil {
			return err
		}
		s, err := instrument.ReadSizes(ctx, w.conn, relation)
		if err != nil {
			return err
		}
		w.total += s.Total
	}
	return nil
}
