package softdelete

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// limit is the LIMIT of the query for active rows.
const limit = 50

// publishedRemoved is the source's one draw, claim s1.rows_removed_soft.
const publishedRemoved = 1948

// draws reads Rows Removed by Filter from the newest row of every batch
// backwards: each batch is one draw of the same random quantity.
func (b *bench) draws(ctx context.Context) error {
	all := arms(b.lab.Knob("remove_percent"))
	cycles := b.lab.Knob("cycles")
	step := b.lab.Step("rows removed by filter", len(all)*cycles)
	defer step.Done()
	draws := b.out.Table(runner.TableSpec{Name: "rows_removed_draws", Raw: true, Title: "Rows Removed by Filter from the end of each batch backwards",
		Columns: []runner.Column{{Name: "arm", Text: true}, {Name: "cycle"}, {Name: "rows_removed", Unit: "rows"}}})
	summary := b.out.Table(drawsTable)
	for _, a := range all {
		if err := b.drawArm(ctx, a, draws, summary, step); err != nil {
			return fmt.Errorf("drawing rows removed of %q: %w", a.title, err)
		}
	}
	b.removedFindings()
	b.drawFigures()
	return nil
}

var drawsTable = runner.TableSpec{Name: "rows_removed", Title: "Rows Removed by Filter by the share of each batch that is removed",
	Note: "Expected: the removed rows before the 50th survivor of a batch in random order, a negative hypergeometric distribution. Measured with enable_sort off, so that the scan follows the full index at every size. The heap ratio is soft over hard after the last cycle.",
	Columns: []runner.Column{
		{Name: "arm", Text: true}, {Name: "removed_percent", Unit: "%", Meaning: "share of each batch that is removed"},
		{Name: "draws", Meaning: "batches"},
		{Name: "median", Unit: "rows", Meaning: "median draw"}, {Name: "median_low", Unit: "rows"}, {Name: "median_high", Unit: "rows"},
		{Name: "smallest", Unit: "rows"}, {Name: "largest", Unit: "rows"},
		{Name: "newest", Unit: "rows", Meaning: "the draw that the query itself sees"},
		{Name: "newest_percentile", Unit: "%", Meaning: "where that draw lies in the expected distribution"},
		{Name: "expected_mean", Unit: "rows"}, {Name: "expected_low", Unit: "rows", Meaning: "2.5th percentile"}, {Name: "expected_high", Unit: "rows", Meaning: "97.5th percentile"},
		{Name: "inside", Meaning: "draws inside the expected 95 %"}, {Name: "share_inside", Meaning: "inside over draws; 0.86 is the 0.2nd percentile of 50 draws"},
		{Name: "published_percentile", Unit: "%", Meaning: "where the published 1,948 lies in the expected distribution"},
		{Name: "heap_ratio", Unit: "x", Meaning: "soft heap over hard heap"},
	}}

func (b *bench) drawArm(ctx context.Context, a arm, draws, summary *runner.Table, step *runner.Step) error {
	conn, err := b.connect(ctx, a.database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	// A table of a few pages is cheaper to sort; the draw is along the index.
	if _, err := conn.Exec(ctx, "SET enable_sort = off"); err != nil {
		return err
	}
	insert := b.lab.Knob("insert")
	var removed []float64
	for cycle := range b.lab.Knob("cycles") {
		n, err := drawOne(ctx, conn, (cycle+1)*insert)
		if err != nil {
			return err
		}
		draws.Add(a.database, cycle+1, n)
		removed = append(removed, float64(n))
		step.Advance(1)
	}
	return b.summarizeDraws(ctx, conn, a, removed, summary)
}

// drawOne runs the query for active rows as if the row with this id were the
// newest.
func drawOne(ctx context.Context, conn *pgx.Conn, newest int) (int64, error) {
	var at time.Time
	if err := conn.QueryRow(ctx, "SELECT created_at FROM "+soft+" WHERE id = $1", newest).Scan(&at); err != nil {
		return 0, err
	}
	sql := fmt.Sprintf("SELECT id FROM %s WHERE deleted_at IS NULL AND created_at <= '%s' ORDER BY created_at DESC LIMIT %d",
		soft, at.UTC().Format("2006-01-02 15:04:05.000000+00"), limit)
	e, err := instrument.Explain(ctx, conn, sql)
	if err == nil && e.Scan().Index != soft+"_created_at_idx" {
		err = fmt.Errorf("the plan is %s on %q: removed rows are only counted on the full index", e.Nodes(), e.Scan().Index)
	}
	return e.RowsRemoved(), err
}

func (b *bench) summarizeDraws(ctx context.Context, conn *pgx.Conn, a arm, removed []float64, summary *runner.Table) error {
	insert := b.lab.Knob("insert")
	d := stat.NegativeHypergeometric{Rows: insert, Removed: insert * a.percent / 100, Survivors: limit}
	s, err := instrument.ReadSizes(ctx, conn, soft)
	if err != nil {
		return err
	}
	h, err := instrument.ReadSizes(ctx, conn, hard)
	if err != nil {
		return err
	}
	newest := removed[len(removed)-1]
	medianLow, medianHigh := medianInterval(removed)
	x, ends := expect(d, removed), stat.Extremes(removed)
	row := summary.Add(a.database, a.percent, len(removed), stat.Median(removed), medianLow, medianHigh,
		ends.Low, ends.High, newest, x.newest,
		x.mean, x.low, x.high, x.inside, x.share, b.publishedPercentile(a, d), float64(s.Heap)/float64(h.Heap))
	at := cells(summary, row, "newest", "newest_percentile", "expected_mean", "expected_low", "expected_high", "inside", "share_inside", "draws", "published_percentile", "heap_ratio")
	at["median"] = summary.RefRange(row, "median", "median_low", "median_high")
	b.at.removed[a.database] = at
	return nil
}

// An expectation holds what the distribution says of the draws, or n/a.
type expectation struct{ newest, mean, low, high, inside, share any }

func expect(d stat.NegativeHypergeometric, removed []float64) expectation {
	if err := d.Valid(); err != nil {
		none := runner.NA{Reason: "one batch does not hold 50 survivors, so the scan goes on into older batches"}
		return expectation{none, none, none, none, none, none}
	}
	low, high := d.Quantile(0.025), d.Quantile(0.975)
	inside := 0
	for _, n := range removed {
		if n >= float64(low) && n <= float64(high) {
			inside++
		}
	}
	newest := removed[len(removed)-1]
	return expectation{100 * d.CDF(int(newest)), d.Mean(), low, high, inside, float64(inside) / float64(len(removed))}
}

// medianInterval is n/a where there are too few draws for 95 %.
func medianInterval(xs []float64) (low, high any) {
	i, ok := stat.QuantileInterval(xs, 0.5, 0.95)
	if !ok {
		few := runner.NA{Reason: fmt.Sprintf("%d draws are too few for a 95 %% interval of a median", len(xs))}
		return few, few
	}
	return i.Low, i.High
}

// publishedPercentile places the source's draw in the distribution that it
// came from; in another distribution it has no place.
func (b *bench) publishedPercentile(a arm, d stat.NegativeHypergeometric) any {
	if a.percent != 98 || b.lab.Knob("insert") != 5000 {
		return runner.NA{Reason: "the published draw comes from 4,900 removed of 5,000"}
	}
	return 100 * d.CDF(publishedRemoved)
}
