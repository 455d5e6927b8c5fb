package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/stat"
)

var loadingTable = runner.TableSpec{Name: "loading", Title: "Two ways to fill the month",
	Note:    "Both tables, one after the other on one connection. INSERT makes the rows in the server, COPY sends them in the binary format. Each way is timed until the rows are committed, and until the pages are all-visible and frozen: INSERT needs VACUUM (FREEZE) for that, COPY with FREEZE into a table of the same transaction has done it but for the visibility of the last page, and is vacuumed as well. Indexes are built afterwards in either way and are not in it. Ratios are INSERT over COPY, block by block; COPY also takes turns with itself, which is the floor.",
	Columns: []runner.Column{{Name: "until", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "insert_s", Unit: "s", Meaning: "median"}, {Name: "copy_s", Unit: "s", Meaning: "median"}, {Name: "ratio", Unit: "x"}, {Name: "low", Unit: "x"}, {Name: "high", Unit: "x"}, {Name: "floor", Unit: "x", Meaning: "how far from 1 COPY came out against itself"}, {Name: "told_apart", Text: true, Meaning: "the interval leaves out 1, and the ratio is further from it than the floor"}, {Name: "blocks"}, {Name: "insert_rows_per_s", Unit: "rows/s"}, {Name: "copy_rows_per_s", Unit: "rows/s"}}}

// A filling is one way to fill the month, with its times by block.
type filling struct {
	name   string
	fill   func(context.Context, *pgx.Conn, month) error
	frozen [][]float64 // seconds until frozen
}

// The ways.
const (
	byInsert  = "INSERT ... SELECT"
	byCopy    = "COPY binary, FREEZE"
	copyAgain = "COPY binary, FREEZE, again"
)

// loading lets both ways take turns on the tables without secondary indexes.
func (b *bench) loading(ctx context.Context) error {
	ways := []*filling{{name: byInsert, fill: fillByInsert}, {name: byCopy, fill: fillByCopy}, {name: copyAgain, fill: fillByCopy}}
	m := newMonth(b.lab.Knob("load_rows"), b.lab.Rand("loading"))
	var arms []runner.Arm
	for _, w := range ways {
		arms = append(arms, runner.Arm{Name: w.name, Once: func(ctx context.Context) (time.Duration, error) { return b.timeFilling(ctx, w, m) }})
	}
	samples, err := b.lab.TakeTurns(ctx, runner.Turns{Name: "loading in turns", Arms: arms, Blocks: b.lab.Knob("load_repeats"), PerVisit: 1,
		Single: true, Warmup: 1})
	if err != nil {
		return err
	}
	t := b.out.Table(loadingTable)
	b.loads = t
	blocks := len(samples.Of(byInsert))
	if err := b.compareFillings(t, "committed", m.rows, samples.Of(byInsert), samples.Of(byCopy), samples.Of(copyAgain)); err != nil {
		return err
	}
	frozen := func(w *filling) [][]float64 { return w.frozen[len(w.frozen)-blocks:] } // without the warm-up
	if err := b.compareFillings(t, "frozen", m.rows, frozen(ways[0]), frozen(ways[1]), frozen(ways[2])); err != nil {
		return err
	}
	b.out.Conclude(runner.Say("Filling the month by COPY in the binary format is {} as fast as by INSERT ... SELECT, and {} until it is frozen.",
		b.loadRatio(0), b.loadRatio(1)))
	return nil
}

// loadRatio points at a ratio of loading.csv.
func (b *bench) loadRatio(row int) runner.Ref {
	return b.loads.RefRatio(row, "ratio", "low", "high", "floor")
}

// compareFillings writes one comparison down.
func (b *bench) compareFillings(t *runner.Table, until string, rows int, insert, copied, again [][]float64) error {
	p, err := stat.PairedRatio(insert, copied, b.lab.Rand("loading ratio/"+until))
	if err != nil {
		return fmt.Errorf("comparing ways to load: %w", err)
	}
	itself, err := stat.PairedRatio(again, copied, b.lab.Rand("loading floor/"+until))
	if err != nil {
		return fmt.Errorf("comparing COPY with itself: %w", err)
	}
	floor := stat.NoiseFloor(itself)
	b.warn("loading by COPY against itself, until "+until, floor.Warnings)
	b.warn("loading, until "+until, p.Warnings)
	i, c, n := stat.PooledMedian(insert), stat.PooledMedian(copied), float64(2*rows)
	t.Add(until, rows, i, c, p.Ratio, p.Low, p.High, floor.Distance, stat.ToldApart(p.Interval, p.Ratio, floor.Distance), p.Blocks, n/i, n/c)
	return nil
}

// timeFilling fills both tables, proves that the rows are there, and drops them.
func (b *bench) timeFilling(ctx context.Context, w *filling, m month) (time.Duration, error) {
	begun := time.Now()
	if err := w.fill(ctx, b.conn, m); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	for _, t := range tables(bare) {
		if err := postgres.Execute(ctx, b.conn, "VACUUM (FREEZE) "+t.leaf()); err != nil {
			return 0, err
		}
	}
	w.frozen = append(w.frozen, []float64{time.Since(begun).Seconds()})
	for _, t := range tables(bare) {
		var n int
		if err := b.conn.QueryRow(ctx, "SELECT count(*) FROM "+t.leaf()).Scan(&n); err != nil {
			return 0, fmt.Errorf("counting %q: %w", t.leaf(), err)
		}
		if n != m.rows {
			return 0, fmt.Errorf("loading %q by %s: %d rows, want %d", t.leaf(), w.name, n, m.rows)
		}
	}
	return took, b.discard(ctx, tables(bare))
}

// fillByCopy is how the experiment loads.
func fillByCopy(ctx context.Context, conn *pgx.Conn, m month) error {
	for _, t := range tables(bare) {
		if err := t.fill(ctx, conn, m); err != nil {
			return err
		}
	}
	return nil
}

// fillByInsert is how the source loads; the ids are the server's.
func fillByInsert(ctx context.Context, conn *pgx.Conn, m month) error {
	both := tables(bare)
	for _, t := range both {
		tx, err := conn.Begin(ctx) // one commit a table, as by COPY
		if err != nil {
			return fmt.Errorf("loading %q: %w", t.leaf(), err)
		}
		insert := statement("insert_"+t.name, "leaf", t.leaf(), "activities", both[0].leaf(), "rows", fmt.Sprint(m.rows),
			"tenant", tenant, "conversation", conversation, "channel", channel, "updated", updated.Format("2006-01-02 15:04:05.999999"))
		if err := postgres.Execute(ctx, conn, statement("leaf", "leaf", t.leaf(), "parent", t.parent()), insert); err != nil {
			return errors.Join(err, tx.Rollback(context.WithoutCancel(ctx)))
		}
		if err := tx.Commit(ctx); err != nil {
			return fmt.Errorf("loading %q: %w", t.leaf(), err)
		}
	}
	return nil
}
