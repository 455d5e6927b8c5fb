package softdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// walPosition returns where the next WAL record will go.
func walPosition(ctx context.Context, conn *pgx.Conn) (string, error) {
	var at string
	if err := conn.QueryRow(ctx, "SELECT pg_current_wal_insert_lsn()::text").Scan(&at); err != nil {
		return "", fmt.Errorf("reading the position of WAL: %w", err)
	}
	return at, nil
}

// walSince returns the bytes of WAL, of any session, since a position.
func walSince(ctx context.Context, conn *pgx.Conn, before string) (int64, error) {
	var n int64
	err := conn.QueryRow(ctx, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::text::pg_lsn)::bigint", before).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("reading the WAL since %q: %w", before, err)
	}
	return n, nil
}
