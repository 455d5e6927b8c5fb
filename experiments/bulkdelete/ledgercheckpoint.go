package bulkdelete

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// checkpoints are what the server counts of those that were asked for.
type checkpoints struct{ asked, written int64 }

func readCheckpoints(ctx context.Context, conn *pgx.Conn) (c checkpoints, err error) {
	sql, err := checkpointsSQL(conn)
	if err != nil {
		return c, err
	}
	if err = conn.QueryRow(ctx, sql, pgx.QueryExecModeSimpleProtocol).Scan(&c.asked, &c.written); err != nil {
		err = fmt.Errorf("reading the checkpointer's counters: %w", err)
	}
	return c, err
}

// checkpointsSQL reads them, as the server's version has them.
func checkpointsSQL(conn *pgx.Conn) (string, error) {
	version, err := strconv.Atoi(conn.PgConn().ParameterStatus("server_version")[:2])
	if err != nil {
		return "", fmt.Errorf("reading the server's version: %w", err)
	}
	if version < 17 {
		return ledgerSQL("checkpoints_16")[0], nil // pg_stat_checkpointer is new in 17
	}
	return ledgerSQL("checkpoints")[0], nil
}

// checkpointed measures a CHECKPOINT. Its pages are those of the checkpointer,
// which tells them a moment after the statement has returned.
func checkpointed(ctx context.Context, conn *pgx.Conn) (cost, error) {
	before, err := readCheckpoints(ctx, conn)
	if err != nil {
		return cost{}, err
	}
	c, err := measure(ctx, conn, "CHECKPOINT")
	if err != nil {
		return c, err
	}
	sql, err := checkpointsSQL(conn)
	if err != nil {
		return c, err
	}
	if err := awaitTrue(ctx, conn, fmt.Sprintf("SELECT asked > %d FROM (%s) AS c(asked, written)", before.asked, sql)); err != nil {
		return c, err
	}
	now, err := readCheckpoints(ctx, conn)
	c.written = now.written - before.written
	return c, err
}
