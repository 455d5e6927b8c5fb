package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Execute executes statements that return nothing, one after the other, each by itself in the simple protocol. The error
// of one names its first line.
func Execute(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			line, _, _ := strings.Cut(sql, "\n")
			return fmt.Errorf("executing %q: %w", line, err)
		}
	}
	return nil
}
