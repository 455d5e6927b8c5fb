package softdelete

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// hotRepeats is how often each way of writing is repeated, in turns.
const hotRepeats = 5

// A hotWay is a table for one batch of soft deletes.
type hotWay struct {
	fillfactor int  // %
	partial    bool // with the partial index on active rows
}

// String names the table for a figure.
func (w hotWay) String() string {
	if w.partial {
		return fmt.Sprintf("fillfactor %d, partial index", w.fillfactor)
	}
	return fmt.Sprintf("fillfactor %d", w.fillfactor)
}

var hotWays = []hotWay{{100, false}, {100, true}, {50, false}, {50, true}}

var hotTable = runner.TableSpec{Name: "hot_updates", Title: "What the partial index costs a soft delete",
	Note: "One batch in a new table, VACUUM, then one statement that soft-deletes the usual share of it. WAL is what EXPLAIN counts for that statement. An update is heap-only (HOT) when the page has room and no index mentions a changed column, its predicate included: the partial index ends it. Times are the median of 5 under EXPLAIN with their range, in turns.",
	Columns: []runner.Column{word("table", ""), {Name: "fillfactor", Unit: "%"}, word("partial_index", ""), {Name: "updates", Unit: "rows"}, {Name: "hot_updates", Unit: "rows"},
		{Name: "wal_records", Unit: "records"}, {Name: "wal_full_page_images", Unit: "images"}, {Name: "wal_bytes", Unit: "bytes"}, {Name: "wal_low", Unit: "bytes"}, {Name: "wal_high", Unit: "bytes"},
		{Name: "execution_s", Unit: "s"}, {Name: "execution_low_s", Unit: "s"}, {Name: "execution_high_s", Unit: "s"}}}

// hotUpdates measures one soft delete on tables with and without the partial
// index, with room on their pages and without.
func (b *bench) hotUpdates(ctx context.Context) error {
	step := b.lab.Step("beyond the source: HOT updates", hotRepeats*len(hotWays))
	defer step.Done()
	conn, err := b.newDatabase(ctx, "hot_updates", "order")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rng := b.lab.Rand("hot")
	runs := make([][]hotRun, len(hotWays))
	for repeat := range hotRepeats {
		for _, i := range rng.Perm(len(hotWays)) {
			run, err := b.hotOnce(ctx, conn, hotWays[i], repeat)
			if err != nil {
				return err
			}
			runs[i] = append(runs[i], run)
			step.Advance(1)
		}
	}
	t := b.out.Table(hotTable)
	for i, w := range hotWays {
		if err := addHot(t, w, runs[i]); err != nil {
			return err
		}
	}
	b.out.Figure(runner.Figure{Name: "hot_updates", Title: "Heap-only updates with and without the partial index",
		HowToRead: "With room on the page (fillfactor 50) a soft delete needs no index entry, unless an index mentions deleted_at.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "hot_updates", X: "table", Y: "hot_updates", Label: "HOT updates of the batch"}}})
	return nil
}

type hotRun struct {
	updates, hot int64
	e            instrument.Explained
}

// hotOnce makes a table, fills it and soft-deletes from it under EXPLAIN.
func (b *bench) hotOnce(ctx context.Context, conn *pgx.Conn, w hotWay, repeat int) (hotRun, error) {
	insert := b.lab.Knob("insert")
	table := fmt.Sprintf("orders_%d_%t_%d", w.fillfactor, w.partial, repeat)
	setup := []string{fmt.Sprintf("CREATE TABLE %s (LIKE %s INCLUDING ALL) WITH (fillfactor = %d)", table, soft, w.fillfactor)}
	if w.partial {
		setup = append(setup, "CREATE INDEX ON "+table+" (created_at DESC) WHERE deleted_at IS NULL")
	}
	setup = append(setup, fmt.Sprintf("SELECT setseed(%g)", b.lab.Rand(fmt.Sprint("hot/", repeat)).Float64()),
		strings.ReplaceAll(statement("insert", table), "$1", fmt.Sprint(insert)), "SELECT pg_stat_force_next_flush()", "VACUUM (ANALYZE) "+table)
	for _, sql := range setup {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return hotRun{}, fmt.Errorf("preparing %s: %w", table, err)
		}
	}
	victims := insert * b.lab.Knob("remove_percent") / 100
	removal := strings.ReplaceAll(arm{}.removal(soft), soft, table)
	run := hotRun{}
	var err error
	defer b.lab.Watch("removal, EXPLAIN: " + table)()
	if run.e, err = instrument.ExplainWrite(ctx, conn, strings.NewReplacer("$1", "1", "$2", fmt.Sprint(insert), "$3", fmt.Sprint(victims)).Replace(removal)); err != nil {
		return run, err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_stat_force_next_flush()"); err != nil {
		return run, err
	}
	err = conn.QueryRow(ctx, "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = $1", table).Scan(&run.updates, &run.hot)
	if err == nil && run.updates != int64(victims) {
		err = fmt.Errorf("soft-deleted %d rows of %s, expected %d", run.updates, table, victims)
	}
	return run, err
}

// addHot adds one way's repeats; counts that differ between them are shown by
// the range of WAL.
func addHot(t *runner.Table, w hotWay, runs []hotRun) error {
	var bytes, seconds, hot []float64
	for _, r := range runs {
		bytes, seconds, hot = append(bytes, float64(r.e.Root.WALBytes)), append(seconds, r.e.Execution), append(hot, float64(r.hot))
	}
	wal, err := stat.Repeats(bytes)
	if err != nil {
		return err
	}
	took, err := stat.Repeats(seconds)
	if err != nil {
		return err
	}
	first := runs[0]
	t.Add(w.String(), w.fillfactor, w.partial, first.updates, stat.Median(hot), first.e.Root.WALRecords, first.e.Root.WALImages, wal.Median, wal.Low, wal.High, took.Median, took.Low, took.High)
	return nil
}
