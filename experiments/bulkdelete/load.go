package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// sourcePayload is the source's: 1,024 bytes that compress to nearly nothing,
// and stay below the size at which TOAST begins.
const sourcePayload = "repeat('Pg', 512)"

// load makes a table of the source's shape, with rows of id 1 to rows, and
// vacuums, analyzes and checkpoints as the source did.
func load(ctx context.Context, conn *pgx.Conn, table string, rows int, payload string) error {
	err := postgres.Execute(ctx, conn,
		"CREATE TABLE "+table+" (id integer, data text)",
		fmt.Sprintf("INSERT INTO %s (id, data) SELECT i, %s FROM generate_series(1, %d) AS s(i)", table, payload, rows),
		"VACUUM ANALYZE "+table,
		"CHECKPOINT")
	if err != nil {
		return fmt.Errorf("loading %q: %w", table, err)
	}
	return nil
}
