package bulkdelete

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// awaitWithin is how long a server may take for what is waited for, and
// awaitEvery the time between two looks.
const (
	awaitWithin = 30 * time.Second
	awaitEvery  = 5 * time.Millisecond
)

// awaitTrue asks a question until the answer is true.
func awaitTrue(ctx context.Context, conn *pgx.Conn, sql string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, awaitWithin, fmt.Errorf("not within %v", awaitWithin))
	defer cancel()
	poll := time.NewTicker(awaitEvery)
	defer poll.Stop()
	for {
		var yes bool
		err := conn.QueryRow(ctx, sql, pgx.QueryExecModeSimpleProtocol).Scan(&yes)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("waiting for %q: %w", sql, context.Cause(ctx))
		case err != nil:
			return fmt.Errorf("asking %q: %w", sql, err)
		case yes:
			return nil
		}
		// The end of ctx is seen above, with what it was waited for.
		_, _ = lookAgain(ctx, poll.C, nil)
	}
}
