package treedelete

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// explainDifference says which ids of a chain are wrong.
func (a *chainArm) explainDifference(ctx context.Context) error {
	var told []string
	for level := 1; level <= a.chain.depth(); level++ {
		table := a.chain.table(level)
		rows, err := a.session.conn.Query(ctx, "SELECT id FROM "+table)
		if err != nil {
			return fmt.Errorf("%w; looking for the ids: %w", errSurvivors, err)
		}
		now, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return fmt.Errorf("%w; looking for the ids: %w", errSurvivors, err)
		}
		if left := without(now, a.chain.others(level)); len(left) > 0 {
			told = append(told, fmt.Sprintf("%d of %s should be gone (%s)", len(left), table, list(left)))
		}
		if lost := without(a.chain.others(level), now); len(lost) > 0 {
			told = append(told, fmt.Sprintf("%d of %s should be left (%s)", len(lost), table, list(lost)))
		}
	}
	return fmt.Errorf("%w: %s", errSurvivors, strings.Join(told, "; "))
}
