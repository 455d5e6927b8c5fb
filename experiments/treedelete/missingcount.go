package treedelete

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	lsn       []int64 // bytes between the insert positions, likewise
	rows      int64   // deleted by the statement itself
}

// countBlocks counts the prepared DELETE of a document's blocks, with the plan
// that the session's executions of it have: under EXPLAIN and without it, each
// time in a transaction that is rolled back and after the prepared statements of
// before.
func (s *session) countBlocks(ctx context.Context, document int64, before ...string) (counted, error) {
	var c counted
	if _, err := s.simple(ctx, "SET pg_stat_statements.track = 'top'"); err != nil {
		return c, err
	}
	id := strconv.FormatInt(document, 10)
	var statements []string
	for _, file := range append(before[:len(before):len(before)], "set_blocks") {
		statements = append(statements, executing(file, id))
	}
	// The first execution reads the catalog as well, and clears visibility bits that
	// stay cleared when it is rolled back.
	if _, err := s.explain(ctx, statements...); err != nil {
		return c, err
	}
	for range countedTwice {
		explained, err := s.explain(ctx, statements...)
		if err != nil {
			return c, err
		}
		c.explained = append(c.explained, explained[len(explained)-1])
		if err := c.plain(ctx, s, statements); err != nil {
			return c, err
		}
	}
	return c, nil
}

// plain executes the statements in a transaction, counts the last one and undoes
// all.
func (c *counted) plain(ctx context.Context, s *session, statements []string) error {
	last := len(statements) - 1
	for _, sql := range append([]string{"BEGIN"}, statements[:last]...) {
		if _, err := s.simple(ctx, sql); err != nil {
			return err
		}
	}
	err := c.count(ctx, s, statements[last])
	_, undone := s.simple(ctx, "ROLLBACK")
	return errors.Join(err, undone)
}

// count executes a statement and asks pg_stat_statements, in which one row is
// left: what it has counted before goes. It notes how far WAL moves meanwhile.
func (c *counted) count(ctx context.Context, s *session, sql string) error {
	if _, err := s.simple(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return err
	}
	before, err := instrument.WALPosition(ctx, s.conn)
	if err != nil {
		return err
	}
	if _, err := s.simple(ctx, sql); err != nil {
		return err
	}
	after, err := instrument.WALPosition(ctx, s.conn)
	if err != nil {
		return err
	}
	var calls, buffers, wal int64
	if err := s.conn.QueryRow(ctx, statement("missing_counted")).Scan(&calls, &buffers, &wal, &c.rows); err != nil {
		return fmt.Errorf("reading pg_stat_statements: %w", err)
	}
	if calls != 1 {
		return fmt.Errorf("pg_stat_statements counted %d executions of %q, expected 1", calls, sql)
	}
	c.buffers, c.wal, c.lsn = append(c.buffers, buffers), append(c.wal, wal), append(c.lsn, after-before)
	return nil
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
