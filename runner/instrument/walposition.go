package instrument

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// WALPosition returns where the server's next WAL record goes
// (pg_current_wal_insert_lsn), in bytes from the beginning of WAL; the
// difference of two is what all sessions wrote between them, alignment and page
// headers included. It is one round trip and prepares nothing.
func WALPosition(ctx context.Context, conn *pgx.Conn) (int64, error) {
	var at int64
	err := conn.QueryRow(ctx, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint", pgx.QueryExecModeSimpleProtocol).Scan(&at)
	if err != nil {
		return 0, fmt.Errorf("reading the position in WAL: %w", err)
	}
	return at, nil
}
