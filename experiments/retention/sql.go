package retention

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/fixtures"
)

// statement reads a file of fixtures/sql/retention; the words are pairs of a
// name in braces and what stands for it.
func statement(name string, words ...string) string {
	text, err := fixtures.SQL.ReadFile("sql/retention/" + name + ".sql")
	if err != nil {
		return "no statement " + name // the server refuses it by this name
	}
	var pairs []string
	for i := 0; i+1 < len(words); i += 2 {
		pairs = append(pairs, "{"+words[i]+"}", words[i+1])
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(string(text)))
}

// execute runs statements that return nothing.
func execute(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("executing %q: %w", firstLine(sql), err)
		}
	}
	return nil
}

func firstLine(sql string) string {
	line, _, _ := strings.Cut(sql, "\n")
	return line
}
