package softdelete

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/roundtrip"
)

// latency times every reading in every condition, in turns.
func (b *bench) latency(ctx context.Context) error {
	if err := b.copyWithPartial(ctx); err != nil {
		return err
	}
	to := b.latencyTables()
	for _, c := range conditions(time.Duration(b.lab.Knob("added_us")) * time.Microsecond) {
		if err := b.latencyIn(ctx, c, to); err != nil {
			return fmt.Errorf("timing over %s: %w", c.title, err)
		}
	}
	b.latencyFindings()
	b.latencyFigures()
	b.concludeLatency()
	return nil
}

// latencyIn opens one session a database, warms both databases up and lets the
// readings take turns.
func (b *bench) latencyIn(ctx context.Context, c condition, to latencyTables) error {
	network := &roundtrip.Network{}
	conns := map[string]*pgx.Conn{}
	for _, database := range []string{corrected, withPartial} {
		conn, err := b.connectThrough(ctx, database, network)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		conns[database] = conn
		if err := prewarm(ctx, conn); err != nil {
			return err
		}
	}
	if len(b.at.timed) == 0 {
		if err := b.explainReadings(ctx, conns, to.plans); err != nil {
			return err
		}
	}
	if err := b.checkAdded(ctx, conns[corrected], network, &c, to); err != nil {
		return err
	}
	network.SetDelay(0) // not for what is not timed
	keys, err := b.keysFor(ctx, conns[corrected], c)
	if err != nil {
		return err
	}
	turns, err := b.turns(ctx, c, conns, keys, to)
	if err != nil {
		return err
	}
	return b.timeTurns(ctx, c, conns, network, turns, to)
}

// timeTurns times the readings between two looks at the server's counters.
func (b *bench) timeTurns(ctx context.Context, c condition, conns map[string]*pgx.Conn, network *roundtrip.Network, turns runner.Turns, to latencyTables) error {
	if _, err := readCounters(ctx, conns); err != nil { // its own catalog pages
		return err
	}
	before, err := readCounters(ctx, conns)
	if err != nil {
		return err
	}
	network.Waits() // those of the check
	network.SetDelay(c.added)
	samples, err := b.lab.TakeTurns(ctx, turns)
	network.SetDelay(0)
	if err != nil {
		return err
	}
	b.checkTimed(network, c, to)
	after, err := readCounters(ctx, conns)
	if err != nil {
		return err
	}
	b.addDisturbances(c, samples, before, after, to.disturbances)
	return b.report(c, samples, to)
}

// turns spreads the iterations over the blocks, two visits a block.
func (b *bench) turns(ctx context.Context, c condition, conns map[string]*pgx.Conn, keys []string, to latencyTables) (runner.Turns, error) {
	blocks, iterations := b.lab.Knob("blocks"), b.lab.Knob("iterations")
	t := runner.Turns{Name: "latency: " + c.label, Sessions: slices.Collect(maps.Values(conns)), Blocks: blocks, PerVisit: max(1, (iterations+2*blocks-1)/(2*blocks)),
		Keep: func(block int, seconds [][]float64, noise runner.Noise) { b.keep(c, block, seconds, noise, to) }}
	for _, r := range readings {
		arm, err := b.timedArm(ctx, conns[r.database], r, c, keys)
		if err != nil {
			return t, err
		}
		t.Arms = append(t.Arms, arm)
	}
	return t, nil
}
