package bulkdelete

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/instrument"
	"deletecost/runner/postgres"
)

// The holders that need a standby.
const (
	standbySnapshot = "standby with hot_standby_feedback and an open transaction"
	lostStandby     = "slot of a standby with hot_standby_feedback that is gone"
)

var standbyHolders = []holder{{standbySnapshot, openOnStandby}, {lostStandby, loseStandby}}

// standbyName is how its settings and its sessions find the standby.
const standbyName = "standby"

// onStandby returns a session on the primary's standby, which is started when
// it does not run.
func (a *asides) onStandby(ctx context.Context) (*pgx.Conn, error) {
	if a.running[standbyName] == nil {
		if err := a.startPrimary(ctx); err != nil {
			return nil, err
		}
		server, err := a.lab.Standby(ctx, a.running[primaryServer.name], postgres.Options{Name: standbyName, Settings: map[string]string{
			"hot_standby_feedback": "on", "wal_receiver_status_interval": "1s", "wal_retrieve_retry_interval": "100ms", "shared_buffers": "256MB"}})
		if err != nil {
			return nil, err
		}
		a.running[standbyName] = server
	}
	return a.running[standbyName].Connect(ctx)
}

// startPrimary starts the primary when it does not run.
func (a *asides) startPrimary(ctx context.Context) error {
	conn, err := a.on(ctx, primaryServer)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// openOnStandby holds by a snapshot on the standby.
func openOnStandby(ctx context.Context, h *holderBench) (func(context.Context) error, error) {
	if err := awaitTrue(ctx, h.conn, "SELECT coalesce(bool_or(backend_xmin IS NOT NULL), false) FROM pg_stat_replication"); err != nil {
		return nil, err
	}
	if err := postgres.Execute(ctx, h.standby, "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM pg_class"); err != nil {
		_ = postgres.Execute(context.WithoutCancel(ctx), h.standby, "ROLLBACK") // the first error says more
		return nil, err
	}
	return h.endOnStandby, nil
}

// endOnStandby ends that transaction and has the standby tell. It tells of the
// newest transaction that it has replayed, so it must have replayed the last.
func (h *holderBench) endOnStandby(ctx context.Context) error {
	lsn, err := flushPosition(ctx, h.conn)
	if err != nil {
		return err
	}
	if _, err := awaitReplay(ctx, h.standby, lsn); err != nil {
		return err
	}
	return postgres.Execute(ctx, h.standby, "ROLLBACK", tellXmin)
}

// replayWithin is how long the standby may take to replay what there is: a load
// has been streamed to it meanwhile.
const replayWithin = 2 * time.Minute

// flushPosition is the end of the WAL that is flushed, with which whatever has
// committed is. WAL behind it need not reach a standby for wal_writer_delay. The
// insert position in it, which is never before, keeps it out of what is metered.
func flushPosition(ctx context.Context, conn *pgx.Conn) (string, error) {
	var lsn string
	if err := conn.QueryRow(ctx, "SELECT least(pg_current_wal_flush_lsn(), pg_current_wal_insert_lsn())::text", pgx.QueryExecModeSimpleProtocol).Scan(&lsn); err != nil {
		return "", fmt.Errorf("reading the flushed WAL position: %w", err)
	}
	return lsn, nil
}

// awaitReplay waits until the standby has replayed up to a position, or fails
// when that takes too long.
func awaitReplay(ctx context.Context, standby *pgx.Conn, lsn string) (time.Duration, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, replayWithin, fmt.Errorf("the standby has not replayed it within %v", replayWithin))
	defer cancel()
	return instrument.AwaitReplay(ctx, standby, lsn)
}

// tellXmin makes a standby tell its xmin at once, which it does by itself every
// wal_receiver_status_interval, here the shortest there is.
const tellXmin = "SELECT pg_reload_conf()"

// loseStandby gives the standby a slot and then cuts it off: the slot keeps
// what the standby told last.
func loseStandby(ctx context.Context, h *holderBench) (func(context.Context) error, error) {
	if err := postgres.Execute(ctx, h.conn, "SELECT pg_create_physical_replication_slot('lost', true)"); err != nil {
		return nil, err
	}
	return heldOr(ctx, func(ctx context.Context) error {
		return postgres.Execute(ctx, h.conn, "SELECT pg_drop_replication_slot('lost')")
	}, cutOff(ctx, h))
}

// cutOff has the standby use the slot, and cuts it off when the slot holds.
func cutOff(ctx context.Context, h *holderBench) error {
	if err := postgres.Execute(ctx, h.standby, "ALTER SYSTEM SET primary_slot_name = 'lost'", "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	if err := awaitTrue(ctx, h.conn, "SELECT bool_or(xmin IS NOT NULL) FROM pg_replication_slots"); err != nil {
		return err
	}
	if err := postgres.Execute(ctx, h.standby, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return awaitTrue(ctx, h.conn, "SELECT bool_and(NOT active) FROM pg_replication_slots")
}

// rejoin brings the standby that was cut off back, without a slot.
func (h *holderBench) rejoin(ctx context.Context) error {
	if err := postgres.Execute(ctx, h.standby, "ALTER SYSTEM RESET primary_slot_name", "ALTER SYSTEM RESET primary_conninfo", "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return awaitTrue(ctx, h.conn, "SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'")
}
