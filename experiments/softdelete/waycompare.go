package softdelete

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

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
	took := stat.Extremes(w.seconds)
	row := append([]any{w.name, s.Heap, s.PK + s.Secondary}, away...)
	ways.Add(append(row, total, rows, e.Nodes(), e.RowsRemoved(), buffers(e), wal, slices.Min(w.wal), slices.Max(w.wal),
		took.Median, took.Low, took.High)...)
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
