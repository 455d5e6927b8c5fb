package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// depthWays are the ways that are compared at depth.
var depthWays = []string{rowPrepared, setBased, onCascade}

// A chainArm is one way of deleting a chain's tree, as it is timed.
type chainArm struct {
	name    string // of all that its tables and figures tell apart
	way     string
	chain   chain
	delay   time.Duration
	session *session
	answers int64 // rows that the server's answers must add up to
	want    string
	deletion
	flights []float64 // round trips of each execution
}

// openChain prepares a way of deleting a chain's tree. The names of its
// statements are made of the schema's, so that one session serves every chain.
func (s *session) openChain(ctx context.Context, c chain, way string) (deletion, error) {
	switch way {
	case rowPrepared:
		return s.chainStatements(ctx, c, "row", c.row, func(level int) []int64 { return c.ids(level) })
	case setBased:
		return s.chainStatements(ctx, c, "set", c.set, func(int) []int64 { return c.ids(1) })
	}
	root := c
	root.sizes = c.sizes[:1]
	return s.chainStatements(ctx, root, "root", c.row, func(int) []int64 { return c.ids(1) })
}

// chainStatements is a deletion by one prepared statement a level, from the
// deepest up, executed once for each of its parameters.
func (s *session) chainStatements(ctx context.Context, c chain, kind string, sql func(level int) string, parameters func(level int) []int64) (deletion, error) {
	names := make([]string, c.depth()+1)
	texts := make([][][]byte, c.depth()+1)
	for level := c.depth(); level >= 1; level-- {
		names[level] = fmt.Sprintf("%s_%s_%d", c.schema, kind, level)
		if _, err := s.conn.PgConn().Prepare(ctx, names[level], sql(level), nil); err != nil {
			return deletion{}, fmt.Errorf("preparing %q: %w", sql(level), err)
		}
		for _, id := range parameters(level) {
			texts[level] = append(texts[level], []byte(strconv.FormatInt(id, 10)))
		}
	}
	do := func(ctx context.Context) (rows int64, err error) {
		for level := c.depth(); level >= 1; level-- {
			for _, text := range texts[level] {
				n, err := postgres.ExecPrepared(ctx, s.conn, names[level], text)
				if err != nil {
					return rows, fmt.Errorf("executing %q with %s: %w", names[level], text, err)
				}
				rows += int64(n)
			}
		}
		return rows, nil
	}
	return deletion{do: do}, nil
}

// newChainArm prepares an arm. A cascade's answer tells of the root alone.
func (b *bench) newChainArm(s *session, c chain, way string, delay time.Duration, d deletion) *chainArm {
	a := &chainArm{way: way, chain: c, delay: delay, session: s, answers: c.rows(), want: c.expected(), deletion: d}
	a.name = fmt.Sprintf("%s, %d levels, %s", way, c.depth(), b.name(delay))
	if way == onCascade {
		a.answers = 1
	}
	return a
}

// arm makes the timed arm. Each execution proves itself.
func (a *chainArm) arm() runner.Arm {
	return runner.Arm{Name: a.name, Once: func(ctx context.Context) (time.Duration, error) {
		result, err := a.try(ctx)
		a.flights = append(a.flights, float64(result.flights))
		return result.took, err
	}}
}

// try deletes the tree in a transaction, proves inside it that exactly the tree
// is gone, and rolls back.
func (a *chainArm) try(ctx context.Context) (trial, error) {
	ctx = context.WithoutCancel(ctx) // a context that can end starts a goroutine a statement
	s := a.session
	defer s.network.SetDelay(s.network.Delay())
	s.network.SetDelay(0)
	if _, err := s.simple(ctx, "BEGIN"); err != nil {
		return trial{}, err
	}
	result, err := s.timed(ctx, a.deletion, a.delay, false)
	if err == nil {
		err = a.prove(ctx, result.rows)
	}
	if _, undone := s.simple(ctx, "ROLLBACK"); err == nil {
		err = undone
	}
	return result, err
}

// prove holds what was deleted against the tree. A pass that had nothing to
// delete fails here.
func (a *chainArm) prove(ctx context.Context, answered int64) error {
	var left int64
	var digest string
	if err := a.session.conn.QueryRow(ctx, a.chain.survivors()).Scan(&left, &digest); err != nil {
		return fmt.Errorf("taking the digest of what is left: %w", err)
	}
	if digest != a.want {
		return a.explainDifference(ctx)
	}
	if gone := a.chain.all() - left; gone != a.chain.rows() || answered != a.answers {
		return fmt.Errorf("%d rows are gone and the server answered %d; the tree has %d and the answers must add up to %d", gone, answered, a.chain.rows(), a.answers)
	}
	return nil
}
