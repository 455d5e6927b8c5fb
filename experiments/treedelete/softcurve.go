package treedelete

import (
	"context"
	"fmt"
	"slices"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// curveSchema holds the two tables of source s1.
var curveSchema = forest{schema: "curve"}

// publishedCurveDelay is an estimate of what the container and the driver of
// source s1 put around each query.
const publishedCurveDelay = 250 * time.Microsecond

// curveDelays are the round trips of the curve, from none.
func (b *bench) curveDelays() []time.Duration {
	all := append(b.roundTrips(), publishedCurveDelay)
	slices.Sort(all)
	return slices.Compact(all)
}

// The arms of the curve.
const (
	curveSoft  = "active rows, soft"
	curveHard  = "active rows, hard"
	curveAgain = "active rows, hard again"
)

// curveRows is what the query for active rows reads.
const curveRows = 50

// softCurve times the query for active rows of source s1 over the same round
// trips as the deletions.
func (b *bench) softCurve(ctx context.Context) error {
	if err := b.loadCurve(ctx); err != nil {
		return err
	}
	s, err := b.enter(ctx, curveSchema, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	// A hard table of a few pages is cheaper to sort; the source's is not.
	if _, err := s.simple(ctx, "SET enable_sort = off"); err != nil {
		return err
	}
	c := &curveRun{bench: b, session: s, blocks: b.lab.Knob("curve_blocks")}
	if err := c.explain(ctx); err != nil {
		return err
	}
	for _, table := range []string{curveSoftTable, curveHardTable} {
		if _, err := s.conn.PgConn().Prepare(ctx, table, statement("curve_active", ":table", table), nil); err != nil {
			return fmt.Errorf("preparing the query for active rows of %q: %w", table, err)
		}
	}
	c.openTables()
	for _, delay := range b.curveDelays() {
		if err := c.timeAt(ctx, delay); err != nil {
			return err
		}
	}
	c.conclude()
	return nil
}

// curveRun is what the part works on.
type curveRun struct {
	*bench
	session *session
	blocks  int

	times, ratios, placed *runner.Table
	soft, hard            [][]float64        // seconds by block, without an added round trip
	near                  map[string]float64 // p50 in seconds without one, by arm
	removed               runner.Ref         // rows that the scan of the soft table passes
	at                    map[time.Duration]runner.Ref
	place                 int      // row of placed
	drifts                []string // arms that were getting faster or slower
}

// timeAt lets the arms take turns with one round trip. It is checked first
// where the run has not checked it yet.
func (c *curveRun) timeAt(ctx context.Context, delay time.Duration) error {
	if _, checked := c.delays[delay]; !checked {
		if err := c.checkDelay(ctx, c.session, delay); err != nil {
			return err
		}
	}
	arms := []runner.Arm{c.arm(curveSoft, curveSoftTable, delay), c.arm(curveHard, curveHardTable, delay), c.arm(curveAgain, curveHardTable, delay)}
	name := "soft curve: " + c.name(delay)
	turns := runner.Turns{Name: name, Arms: arms, Blocks: c.blocks, PerVisit: 1, Warmup: 6}
	if delay == 0 { // executions are cheap, and every model rests on these
		turns.PerVisit, turns.Warmup = 5, 0
	}
	samples, err := c.lab.TakeTurns(ctx, turns)
	if err != nil {
		return err
	}
	return c.report(delay, samples)
}

// arm times the query for active rows of a table until its last row is read,
// in one round trip.
func (c *curveRun) arm(name, table string, delay time.Duration) runner.Arm {
	return runner.Arm{Name: name, Once: func(ctx context.Context) (time.Duration, error) {
		ctx = context.WithoutCancel(ctx) // a context that can end starts a goroutine a statement
		n := c.session.network
		n.SetDelay(delay)
		before, start := n.Flights(), time.Now()
		rows, err := postgres.ExecPrepared(ctx, c.session.conn, table)
		took, flights := time.Since(start), n.Flights()-before
		n.SetDelay(0)
		if err == nil && (rows != curveRows || flights != 1) {
			err = fmt.Errorf("read %d rows in %d round trips, expected %d in 1", rows, flights, curveRows)
		}
		return took, err
	}}
}
