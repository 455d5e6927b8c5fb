package retention

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/stat"
)

var constancyTable = runner.TableSpec{Name: "constancy", Title: "Detach and DROP TABLE of a large month and of a small one, in turns",
	Note:    "Both months lie in the same two tables while the closed-loop writers write. Each turn detaches both partitions concurrently, asks three times for DROP TABLE in a transaction that is rolled back and takes the median, and attaches them again; a block visits the arms in a random order and in its reverse. The ratio is large over small, block by block; the slope is its logarithm over that of the rows. The small month against itself is what noise alone makes of it.",
	Columns: []runner.Column{{Name: "step", Text: true}, {Name: "arm", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "small_rows", Unit: "rows"}, {Name: "rows_ratio", Unit: "x"}, {Name: "blocks"}, {Name: "small_s", Unit: "s", Meaning: "median of the small month"}, {Name: "median_s", Unit: "s", Meaning: "median of the arm"}, {Name: "ratio", Unit: "x"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}, {Name: "slope"}, {Name: "slope_low"}, {Name: "slope_high"}, {Name: "autocorrelation", Meaning: "of the logarithms of neighbouring blocks' ratios"}}}

var constancyTurnsTable = runner.TableSpec{Name: "constancy_turns", Title: "Turns of detach and DROP TABLE", Raw: true,
	Columns: []runner.Column{{Name: "block", Meaning: "from 0, as in noise.csv"}, {Name: "arm", Text: true}, {Name: "detach_s", Unit: "s"}, {Name: "drop_s", Unit: "s"}, {Name: "noisy", Text: true, Meaning: "somebody else disturbed the block"}}}

// The arms of the turns.
const (
	largeMonth = "large month"
	smallMonth = "small month"
	smallAgain = "small month, again"
)

// A constant step is timed on a month that stays.
type constant struct {
	b     *bench
	conn  *pgx.Conn
	drops map[string][]float64 // seconds by arm, in order of execution
}

// constancy compares what detaching and dropping cost with a loaded month and
// with a small one. Both are attached again in the end.
func (b *bench) constancy(ctx context.Context, large int) error {
	small := newMonth(b.lab.Knob("small_month"), b.lab.Rand("constancy"))
	small.begins = otherBegins
	if err := b.load(ctx, full, small); err != nil {
		return fmt.Errorf("loading a small month: %w", err)
	}
	aside := &retired{plan: plan{name: "constancy", writers: b.lab.Knob("writers"), before: b.before() / 4}}
	_, err := b.beside(ctx, aside, func() error {
		return b.session(ctx, func(conn *pgx.Conn) error {
			c := &constant{b: b, conn: conn, drops: map[string][]float64{}}
			return c.takeTurns(ctx, large, small.rows)
		})
	})
	if err != nil {
		return err
	}
	return errors.Join(b.discard(ctx, monthly(full, otherBegins)), b.forget(ctx, aside))
}

// takeTurns times both months in blocks and writes down what came of it.
func (c *constant) takeTurns(ctx context.Context, large, small int) error {
	arm := func(name string, months []table) runner.Arm {
		return runner.Arm{Name: name, Once: func(ctx context.Context) (time.Duration, error) { return c.once(ctx, name, months) }}
	}
	arms := []runner.Arm{arm(smallMonth, monthly(full, otherBegins)), arm(smallAgain, monthly(full, otherBegins)), arm(largeMonth, tables(full))}
	s, err := c.b.lab.TakeTurns(ctx, runner.Turns{Name: "detach and DROP TABLE in turns", Blocks: c.b.lab.Knob("detach_turns"), PerVisit: 1, Warmup: 1,
		Arms: arms, Keep: c.keepTurn(c.b.out.Table(constancyTurnsTable), arms)})
	if err != nil {
		return err
	}
	c.b.constants = c.b.out.Table(constancyTable)
	for _, name := range []string{largeMonth, smallAgain} {
		rows := map[string]int{largeMonth: large, smallAgain: small}[name]
		if err := c.compare("detach", name, rows, small, s.Of(name), s.Of(smallMonth)); err != nil {
			return err
		}
		if err := c.compare("drop", name, rows, small, c.dropsOf(s, name), c.dropsOf(s, smallMonth)); err != nil {
			return err
		}
	}
	return nil
}

// once detaches a month, asks for its drop, and attaches it again as it was:
// the check that DETACH CONCURRENTLY leaves behind spares the scan and goes.
func (c *constant) once(ctx context.Context, arm string, months []table) (time.Duration, error) {
	begun := time.Now()
	for _, t := range months {
		if err := postgres.Execute(ctx, c.conn, detachStatement(t)); err != nil {
			return 0, err
		}
	}
	took := time.Since(begun)
	dropped, err := c.drop(ctx, months)
	if err != nil {
		return 0, err
	}
	c.drops[arm] = append(c.drops[arm], dropped)
	for _, t := range months {
		if err := t.attachAgain(ctx, c.conn); err != nil {
			return 0, err
		}
	}
	return took, nil
}

// dropsPerTurn are the drops of which a turn takes the median: a statement of
// some milliseconds is at the mercy of whoever else wants the processor.
const dropsPerTurn = 3

// drop times the statement alone, in seconds; the files go at a commit that does
// not come.
func (c *constant) drop(ctx context.Context, months []table) (float64, error) {
	names := make([]string, len(months))
	for i, t := range months {
		names[i] = t.leaf()
	}
	var took []float64
	for range dropsPerTurn {
		if err := postgres.Execute(ctx, c.conn, "BEGIN"); err != nil {
			return 0, err
		}
		begun := time.Now()
		err := postgres.Execute(ctx, c.conn, "DROP TABLE "+strings.Join(names, ", "))
		took = append(took, time.Since(begun).Seconds())
		if err := errors.Join(err, postgres.Execute(ctx, c.conn, "ROLLBACK")); err != nil {
			return 0, err
		}
	}
	return stat.Median(took), nil
}

// dropsOf are the times of the drops by block, without the warm-up.
func (c *constant) dropsOf(s *runner.Samples, arm string) [][]float64 {
	detaches, all := s.Of(arm), c.drops[arm]
	at := len(all)
	for _, block := range detaches {
		at -= len(block)
	}
	var blocks [][]float64
	for _, block := range detaches {
		blocks = append(blocks, all[at:at+len(block)])
		at += len(block)
	}
	return blocks
}

// keepTurn writes one block down, whose drops are the last that were timed.
func (c *constant) keepTurn(t *runner.Table, arms []runner.Arm) func(int, [][]float64, runner.Noise) {
	return func(block int, detaches [][]float64, n runner.Noise) {
		for i, arm := range arms {
			drops := c.drops[arm.Name]
			drops = drops[len(drops)-len(detaches[i]):]
			for k, detach := range detaches[i] {
				t.Add(block, arm.Name, detach, drops[k], n.Noisy())
			}
		}
	}
}

// compare writes one step of one arm down against the small month. The month
// against itself has no slope.
func (c *constant) compare(step, arm string, rows, small int, of, against [][]float64) error {
	p, err := stat.PairedRatio(of, against, c.b.lab.Rand("constancy/"+step+arm))
	if err != nil {
		return fmt.Errorf("comparing %s of the %s: %w", step, arm, err)
	}
	slope := []any{runner.NA{Reason: "one size has no slope"}, runner.NA{Reason: "one size has no slope"}, runner.NA{Reason: "one size has no slope"}}
	if s, err := stat.SlopeOfRatio(p.Ratio, p.Interval, float64(rows)/float64(small)); err == nil {
		slope = []any{s.Value, s.Low, s.High}
	}
	if arm == smallAgain {
		p = stat.NoiseFloor(p).Paired
	}
	c.b.warn(fmt.Sprintf("%s, %s over the small one", step, arm), p.Warnings)
	cells := []any{step, arm, rows, small, float64(rows) / float64(small), p.Blocks, stat.PooledMedian(against), stat.PooledMedian(of), p.Ratio, p.Low, p.High}
	c.b.constants.Add(append(append(cells, slope...), p.Autocorrelation)...)
	return nil
}
