package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"

	"github.com/jackc/pgx/v5"
)

// The holders that need no standby.
const (
	nobody         = "nobody"
	idleReader     = "idle transaction, READ COMMITTED, has read"
	idleWriter     = "idle transaction, READ COMMITTED, has written"
	idleSnapshot   = "idle transaction, REPEATABLE READ, has read"
	preparedWriter = "prepared transaction"
	bareSlot       = "physical slot, without feedback"
	logicalSlot    = "logical slot"
)

var localHolders = []holder{
	{nobody, func(context.Context, *holderBench) (func(context.Context) error, error) {
		return func(context.Context) error { return nil }, nil
	}},
	{idleReader, inSession("BEGIN", "SELECT count(*) FROM pg_class")},
	{idleWriter, inSession("BEGIN", "CREATE TABLE t_holder (id integer)")},
	{idleSnapshot, inSession("BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM pg_class")},
	{preparedWriter, byStatements(
		[]string{"BEGIN", "CREATE TABLE t_holder (id integer)", "PREPARE TRANSACTION 'holder'"},
		[]string{"ROLLBACK PREPARED 'holder'"})},
	{bareSlot, byStatements(
		[]string{"SELECT pg_create_physical_replication_slot('bare', true)"},
		[]string{"SELECT pg_drop_replication_slot('bare')"})},
	{logicalSlot, byStatements(
		[]string{"SELECT pg_create_logical_replication_slot('logical', 'pgoutput')"},
		[]string{"SELECT pg_drop_replication_slot('logical')"})},
}

// inSession holds by a session of its own that stays in a transaction.
func inSession(statements ...string) func(context.Context, *holderBench) (func(context.Context) error, error) {
	return func(ctx context.Context, h *holderBench) (func(context.Context) error, error) {
		conn, err := h.running[primaryServer.name].Connect(ctx)
		if err != nil {
			return nil, err
		}
		return heldOr(ctx, endOf(conn), postgres.Execute(ctx, conn, statements...))
	}
}

// heldOr hands on what lets go; when holding failed it lets go at once.
func heldOr(ctx context.Context, release func(context.Context) error, err error) (func(context.Context) error, error) {
	if err != nil {
		_ = release(context.WithoutCancel(ctx)) // of what there may not be
		return nil, err
	}
	return release, nil
}

// endOf ends a session with its transaction.
func endOf(conn *pgx.Conn) func(context.Context) error {
	return func(ctx context.Context) error {
		defer conn.Close(context.WithoutCancel(ctx))
		return postgres.Execute(ctx, conn, "ROLLBACK")
	}
}

// byStatements holds by what statements leave behind.
func byStatements(take, release []string) func(context.Context, *holderBench) (func(context.Context) error, error) {
	return func(ctx context.Context, h *holderBench) (func(context.Context) error, error) {
		return heldOr(ctx, func(ctx context.Context) error { return postgres.Execute(ctx, h.conn, release...) }, postgres.Execute(ctx, h.conn, take...))
	}
}
