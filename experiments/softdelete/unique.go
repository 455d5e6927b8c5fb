package softdelete

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner"
)

// uniqueKey runs what an application does with a unique key under soft delete,
// statement by statement, and notes what the server answers.
func (b *bench) uniqueKey() func(context.Context) error {
	t := b.out.Table(runner.TableSpec{Name: "unique_key", Title: "A unique key under soft delete",
		Note:    "Each statement was executed in this order. 23505 is unique_violation, 42P10 invalid_column_reference (no index fits ON CONFLICT), 42830 invalid_foreign_key.",
		Columns: []runner.Column{word("key", ""), word("step", ""), word("statement", ""), word("outcome", "rows, or SQLSTATE and message")}})
	return func(ctx context.Context) error {
		if err := b.createDatabases(ctx, []arm{{database: "unique_key"}}); err != nil {
			return err
		}
		conn, err := b.connect(ctx, "unique_key")
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		for _, s := range uniqueSteps(statement("unique_key", "")) {
			tag, err := conn.Exec(ctx, s.sql)
			outcome := tag.String()
			var refused *pgconn.PgError
			if errors.As(err, &refused) {
				outcome = refused.Code + " " + refused.Message
			} else if err != nil {
				return fmt.Errorf("executing %q: %w", s.sql, err)
			}
			t.Add(s.key, s.step, s.sql, outcome)
		}
		return nil
	}
}

type uniqueStep struct{ key, step, sql string }

// uniqueSteps reads the statement file: a line "== key | step" before each
// statement.
func uniqueSteps(text string) []uniqueStep {
	var steps []uniqueStep
	for _, part := range strings.Split(text, "== ")[1:] {
		head, sql, _ := strings.Cut(part, "\n")
		key, step, _ := strings.Cut(head, " | ")
		steps = append(steps, uniqueStep{key, step, strings.TrimSuffix(strings.TrimSpace(sql), ";")})
	}
	return steps
}
