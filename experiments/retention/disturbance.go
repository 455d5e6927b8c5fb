package retention

import (
	"context"
	"fmt"
)

// A disturbance is what the server did by itself.
type disturbance struct {
	checkpoints int64 // begun, by time or by WAL
	autovacuums int64 // of tables that are there
}

// checkpointsSQL counts checkpoints: PostgreSQL 17 has a view of its own.
func (b *bench) checkpointsSQL() string {
	if b.version >= 17 {
		return "SELECT num_timed + num_requested FROM pg_stat_checkpointer"
	}
	return "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter"
}

// disturbances counts what the server has done by itself since it started.
func (b *bench) disturbances(ctx context.Context) (d disturbance, err error) {
	sql := "SELECT (" + b.checkpointsSQL() + "), (SELECT coalesce(sum(autovacuum_count), 0)::bigint FROM pg_stat_all_tables)"
	if err := b.conn.QueryRow(ctx, sql).Scan(&d.checkpoints, &d.autovacuums); err != nil {
		return d, fmt.Errorf("counting checkpoints and autovacuums: %w", err)
	}
	return d, nil
}

// disturbed does something and counts what the server did meanwhile.
func (b *bench) disturbed(ctx context.Context, do func() error) (disturbance, error) {
	was, err := b.disturbances(ctx)
	if err != nil {
		return was, err
	}
	if err := do(); err != nil {
		return was, err
	}
	is, err := b.disturbances(ctx)
	// The month's own tables are gone and with them what they counted, which is
	// nothing: they were vacuumed by hand and nobody changed them.
	return disturbance{is.checkpoints - was.checkpoints, max(0, is.autovacuums-was.autovacuums)}, err
}
