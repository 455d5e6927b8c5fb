package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

// commitSchema holds one plain table whose rows are deleted for good.
var commitSchema = forest{schema: "commits"}

// commitDelays are the round trips with which a commit is timed.
func (b *bench) commitDelays() []time.Duration { return []time.Duration{0, b.far()} }

// commitArms is how many arms there are: with and without a transaction of
// their own, a flush, and a round trip.
const commitArms = 2 * 2 * 2

// commitWarmup is the executions of each arm before timing. A trend is looked
// for in what was timed, since warming up by trend would wait for seconds.
const commitWarmup = 6

// commits takes the time of one statement apart: round trip, commit flush,
// transaction, server.
func (b *bench) commits(ctx context.Context) error {
	c, err := b.openCommits(ctx)
	if err != nil {
		return err
	}
	defer c.close(ctx)
	if err := c.readSettings(ctx); err != nil {
		return err
	}
	if err := c.countFlushes(ctx); err != nil {
		return err
	}
	var arms []runner.Arm
	for _, a := range c.arms {
		arms = append(arms, a.arm())
	}
	turns := runner.Turns{Name: "commits", Arms: arms, Blocks: c.blocks, PerVisit: 1, Warmup: commitWarmup, Sessions: b.sessions}
	samples, err := b.lab.TakeTurns(ctx, turns)
	if err != nil {
		return err
	}
	if err := c.prove(ctx); err != nil {
		return err
	}
	c.keep(samples)
	return c.report()
}

// commitRun is what the part works on.
type commitRun struct {
	*bench
	blocks int
	rows   int64     // in the table at first
	reader *pgx.Conn // sees what is committed; without an added round trip
	arms   []*commitArm
}

// openCommits makes the database with enough rows for every arm, and the arms:
// those with a transaction of their own first, and with the flush first.
func (b *bench) openCommits(ctx context.Context) (c *commitRun, err error) {
	step := b.lab.Setup("load " + commitSchema.schema)
	defer step.Done()
	c = &commitRun{bench: b, blocks: b.lab.Knob("commit_blocks")}
	// Two executions a block, each with a statement before it that is not timed.
	share := int64(2*(2*c.blocks+commitWarmup) + flushCounted)
	c.rows = max(10_000, share*commitArms)
	if c.reader, err = b.newSchema(ctx, commitSchema.schema); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.close(ctx)
		}
	}()
	for _, sql := range []string{statement("commit_schema", ":rows", strconv.FormatInt(c.rows, 10)), "VACUUM (ANALYZE) committed"} {
		if _, err = c.reader.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return nil, fmt.Errorf("loading schema %q: %w", commitSchema.schema, err)
		}
	}
	for _, own := range []bool{true, false} {
		for _, synchronous := range []string{"on", "off"} {
			if err = c.openArms(ctx, own, synchronous); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// openArms opens a session and adds its arms, one a round trip. Each arm has a
// range of ids, so that none meets the pages of another.
func (c *commitRun) openArms(ctx context.Context, own bool, synchronous string) error {
	s, err := c.enter(ctx, commitSchema, generic)
	if err != nil {
		return err
	}
	share := c.rows / commitArms
	for _, delay := range c.commitDelays() {
		first := int64(len(c.arms))*share + 1
		c.arms = append(c.arms, &commitArm{session: s, own: own, synchronous: synchronous, delay: delay, roundTrip: c.name(delay), next: first, first: first})
	}
	if _, err := s.simple(ctx, "SET synchronous_commit = "+synchronous); err != nil {
		return err
	}
	if _, err := s.conn.PgConn().Prepare(ctx, commitDelete, statement(commitDelete), nil); err != nil {
		return fmt.Errorf("preparing %q: %w", commitDelete, err)
	}
	if own {
		return nil
	}
	_, err = s.simple(ctx, "BEGIN")
	return err
}

func (c *commitRun) close(ctx context.Context) {
	for _, a := range c.arms {
		a.session.close(ctx)
	}
	c.reader.Close(ctx)
}

// prove holds the rows that are left against what the arms deleted: another
// session sees those of the arms with transactions of their own gone before the
// others commit, and all of them afterwards.
func (c *commitRun) prove(ctx context.Context) error {
	want := c.rows
	for _, a := range c.arms {
		if a.own {
			want -= a.deleted()
		}
	}
	if err := c.left(ctx, want); err != nil {
		return err
	}
	for _, a := range c.arms {
		if a.own {
			continue
		}
		want -= a.deleted()
		if a.delay == 0 { // the session is that of another arm too
			if _, err := a.session.simple(ctx, "COMMIT"); err != nil {
				return err
			}
		}
	}
	return c.left(ctx, want)
}

// left counts the rows that another session sees.
func (c *commitRun) left(ctx context.Context, want int64) error {
	var n int64
	if err := c.reader.QueryRow(ctx, "SELECT count(*) FROM committed").Scan(&n); err != nil {
		return fmt.Errorf("counting the rows that are left: %w", err)
	}
	if n != want {
		return fmt.Errorf("%d rows are left and not %d: what was timed is not what was committed", n, want)
	}
	return nil
}
