package softdelete

import (
	"context"
	"fmt"
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
	b.at.ratios, b.at.times = map[string]runner.Ref{}, map[string]runner.Ref{}
	for _, c := range conditions(time.Duration(b.lab.Knob("added_us")) * time.Microsecond) {
		if err := b.latencyIn(ctx, c, to); err != nil {
			return fmt.Errorf("timing over %s: %w", c.title, err)
		}
	}
	return nil
}

// copyWithPartial copies the corrected arm's database page by page and builds
// the partial index in the copy only, so that the full index and the partial
// one are timed on the same heap in turns.
func (b *bench) copyWithPartial(ctx context.Context) error {
	step := b.lab.Setup("copy of the corrected arm with the partial index")
	defer step.Done()
	conn, err := b.server.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+withPartial+" TEMPLATE "+corrected); err != nil {
		return fmt.Errorf("copying database %q: %w", corrected, err)
	}
	there, err := b.connect(ctx, withPartial)
	if err != nil {
		return err
	}
	defer there.Close(ctx)
	if _, err := there.Exec(ctx, statement("partial_index", "")); err != nil {
		return fmt.Errorf("building the partial index: %w", err)
	}
	if _, err := conn.Exec(ctx, "CHECKPOINT"); err != nil {
		return fmt.Errorf("writing a checkpoint before timing: %w", err)
	}
	return nil
}

func (b *bench) latencyIn(ctx context.Context, c condition, to latencyTables) error {
	network := &roundtrip.Network{}
	network.SetDelay(c.added)
	conns := map[string]*pgx.Conn{}
	for _, database := range []string{corrected, withPartial} {
		conn, err := b.connectThrough(ctx, database, network)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		conns[database] = conn
	}
	if err := b.checkAdded(ctx, conns[corrected], network, c, to); err != nil {
		return err
	}
	keys, err := b.keysFor(ctx, conns[corrected], c)
	if err != nil {
		return err
	}
	turns := b.turns(c)
	for _, r := range readings {
		arm, err := b.timedArm(ctx, conns[r.database], r, c, keys)
		if err != nil {
			return err
		}
		turns.Arms = append(turns.Arms, arm)
	}
	before, err := checkpoints(ctx, conns[corrected])
	if err != nil {
		return err
	}
	samples, err := b.lab.TakeTurns(ctx, turns)
	if err != nil {
		return err
	}
	after, err := checkpoints(ctx, conns[corrected])
	if err != nil {
		return err
	}
	if after != before {
		b.out.Warn("%s: %d checkpoints ran while it was timed", c.title, after-before)
	}
	return b.report(c, samples, to)
}

// turns spreads the iterations over the blocks, two visits a block.
func (b *bench) turns(c condition) runner.Turns {
	blocks, iterations := b.lab.Knob("blocks"), b.lab.Knob("iterations")
	return runner.Turns{Name: "latency: " + c.name, Blocks: blocks, PerVisit: max(1, (iterations+2*blocks-1)/(2*blocks)), Warmup: 20}
}

// checkpoints counts the checkpoints of the server so far.
func checkpoints(ctx context.Context, conn *pgx.Conn) (int64, error) {
	var n int64
	// 17 moved the counters to a view of their own.
	sql := "SELECT num_timed + num_requested FROM pg_stat_checkpointer"
	if conn.PgConn().ParameterStatus("server_version") < "17" {
		sql = "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter"
	}
	if err := conn.QueryRow(ctx, sql).Scan(&n); err != nil {
		return 0, fmt.Errorf("counting checkpoints: %w", err)
	}
	return n, nil
}
