package treedelete

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/instrument"
	"deletecost/runner/stat"
)

// countedTwice is how often each way of counting is repeated.
const countedTwice = 2

// A counted is a DELETE of blocks as three ways of counting saw it. Each value is
// of one execution, rolled back.
type counted struct {
	explained []instrument.Explained
	buffers   []int64 // pg_stat_statements, with everything that triggers did
	wal       []int64 // bytes, likewise
	lsn       []int64 // bytes between the insert positions, of every execution
	rows      int64   // deleted by the statement itself
}

// countBlocks deletes a document's blocks under EXPLAIN and without it, each time
// in a transaction that is rolled back, and after the statements of before.
func countBlocks(ctx context.Context, conn *pgx.Conn, document int64, before ...string) (counted, error) {
	var c counted
	sql := statementWith("set_blocks", document)
	for _, set := range []string{"SET compute_query_id = on", "SET pg_stat_statements.track = 'top'"} {
		if _, err := conn.Exec(ctx, set); err != nil {
			return c, fmt.Errorf("preparing to count: %w", err)
		}
	}
	// The first execution reads the catalog as well, and clears visibility bits that
	// stay cleared when it is rolled back.
	err := inRollback(ctx, conn, before, func() error {
		_, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		return c, fmt.Errorf("executing %q: %w", sql, err)
	}
	for range countedTwice {
		err := inRollback(ctx, conn, before, func() error { return c.explain(ctx, conn, sql) })
		if err != nil {
			return c, err
		}
		if err := inRollback(ctx, conn, before, func() error { return c.plain(ctx, conn, sql) }); err != nil {
			return c, err
		}
	}
	return c, nil
}

// inRollback does something in a transaction after other statements and undoes all.
func inRollback(ctx context.Context, conn *pgx.Conn, before []string, do func() error) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	for _, sql := range before {
		if _, err := tx.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("executing %q: %w", gist(sql), err)
		}
	}
	if err := do(); err != nil {
		return err
	}
	return tx.Rollback(ctx)
}

func (c *counted) explain(ctx context.Context, conn *pgx.Conn, sql string) error {
	return c.between(ctx, conn, func() error {
		e, err := instrument.ExplainDelete(ctx, conn, sql)
		c.explained = append(c.explained, e)
		return err
	})
}

// plain executes the statement and asks pg_stat_statements. What it has counted
// before goes, so that one row is left.
func (c *counted) plain(ctx context.Context, conn *pgx.Conn, sql string) error {
	if _, err := conn.Exec(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return fmt.Errorf("resetting pg_stat_statements: %w", err)
	}
	err := c.between(ctx, conn, func() error {
		_, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		return fmt.Errorf("executing %q: %w", sql, err)
	}
	var calls, buffers, wal int64
	if err := conn.QueryRow(ctx, statement("missing_counted")).Scan(&calls, &buffers, &wal, &c.rows); err != nil {
		return fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	if calls != 1 {
		return fmt.Errorf("pg_stat_statements counted %d executions of %q, expected 1", calls, sql)
	}
	c.buffers, c.wal = append(c.buffers, buffers), append(c.wal, wal)
	return nil
}

// between notes how far WAL moves while something is done.
func (c *counted) between(ctx context.Context, conn *pgx.Conn, do func() error) error {
	s := &session{conn: conn}
	before, err := s.insertPosition(ctx)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := s.insertPosition(ctx)
	c.lsn = append(c.lsn, after-before)
	return err
}

// trigger is the one foreign-key trigger of an explained DELETE.
func (c *counted) trigger() (instrument.Trigger, error) {
	e := c.explained[len(c.explained)-1]
	if len(e.Triggers) != 1 {
		return instrument.Trigger{}, fmt.Errorf("%q fired %d triggers, expected the foreign key's", e.SQL, len(e.Triggers))
	}
	return e.Triggers[0], nil
}

// differences names what should be exact and was not.
func (c *counted) differences() string {
	series := map[string][]float64{"pages by pg_stat_statements": floats(c.buffers), "WAL by pg_stat_statements": floats(c.wal)}
	for _, e := range c.explained {
		series["pages by EXPLAIN"] = append(series["pages by EXPLAIN"], float64(pagesOf(e)))
		series["WAL by EXPLAIN"] = append(series["WAL by EXPLAIN"], float64(e.Root.WALBytes))
	}
	var told []string
	for what, values := range series {
		if x, err := stat.Repeated(values); err == nil && !x.Equal {
			told = append(told, fmt.Sprintf("%s %.0f", what, x.Values))
		}
	}
	slices.Sort(told)
	return strings.Join(told, ", ")
}

// pagesOf are the buffers that EXPLAIN counts for a statement.
func pagesOf(e instrument.Explained) int64 { return e.Root.SharedHit + e.Root.SharedRead }

func floats(values []int64) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = float64(v)
	}
	return all
}

// explainText keeps FORMAT TEXT of the DELETE of blocks.
func explainText(ctx context.Context, conn *pgx.Conn, document int64, before ...string) (text string, err error) {
	err = inRollback(ctx, conn, before, func() error {
		rows, err := conn.Query(ctx, "EXPLAIN (ANALYZE, BUFFERS, WAL) "+statementWith("set_blocks", document), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		text = strings.Join(lines, "\n") + "\n"
		return err
	})
	if err != nil {
		return "", fmt.Errorf("explaining the DELETE of blocks: %w", err)
	}
	return text, nil
}
