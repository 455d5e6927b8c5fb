package treedelete

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/stat"
)

const (
	shallowest = 2 // levels
	// depthDelay is the round trip that is added at depth.
	depthDelay = 500 * time.Microsecond
)

// A depthRun is the trees of all depths and the arms that delete them.
type depthRun struct {
	*bench
	session *session
	deepest int
	rows    int
	arms    []*chainArm
	again   *chainArm // an arm against itself
	samples *runner.Samples
	at      depthRefs
}

// depth deletes trees of the same number of rows on 2 and more levels.
func (b *bench) depth(ctx context.Context) error {
	d := &depthRun{bench: b, deepest: b.lab.Knob("depth"), rows: b.lab.Knob("depth_rows"), at: newDepthRefs()}
	if err := d.plantChains(ctx); err != nil {
		return err
	}
	var err error
	if d.session, err = b.enter(ctx, forest{}, "auto"); err != nil {
		return err
	}
	defer d.session.close(context.WithoutCancel(ctx))
	if err := d.prepareArms(ctx); err != nil {
		return err
	}
	var arms []runner.Arm
	for _, a := range append(d.arms[:len(d.arms):len(d.arms)], d.again) {
		arms = append(arms, a.arm())
	}
	if d.samples, err = b.compareShort(ctx, "depth", arms); err != nil {
		return err
	}
	b.steadiness("depth", d.samples)
	return d.report()
}

// depths are all of them, from the shallowest.
func (d *depthRun) depths() []int {
	var depths []int
	for depth := shallowest; depth <= d.deepest; depth++ {
		depths = append(depths, depth)
	}
	return depths
}

// chains are the two of a depth: with foreign keys that refuse and that cascade.
func (d *depthRun) chains(depth int) []chain {
	return []chain{newChain(d.rows, depth, false), newChain(d.rows, depth, true)}
}

// plantChains loads the chains of all depths into one database.
func (d *depthRun) plantChains(ctx context.Context) error {
	step := d.lab.Setup("load trees of all depths")
	defer step.Done()
	conn, err := d.connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var sql, tables []string
	for _, depth := range d.depths() {
		for _, c := range d.chains(depth) {
			sql = append(sql, c.load(d.lab.Seed))
			for level := range c.depth() {
				tables = append(tables, c.table(level+1))
			}
		}
	}
	for _, text := range []string{strings.Join(sql, "\n"), "VACUUM (ANALYZE) " + strings.Join(tables, ", ")} {
		if _, err := conn.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("loading trees of all depths: %w", err)
		}
	}
	return nil
}

// prepareArms opens every way at every depth, each with the round trips that it
// is timed with.
func (d *depthRun) prepareArms(ctx context.Context) error {
	for _, depth := range d.depths() {
		chains := d.chains(depth)
		for _, way := range depthWays {
			c := chains[0]
			if way == onCascade {
				c = chains[1]
			}
			opened, err := d.session.openChain(ctx, c, way)
			if err != nil {
				return err
			}
			d.arms = append(d.arms, d.newChainArm(d.session, c, way, 0, opened))
			if way != rowPrepared {
				d.arms = append(d.arms, d.newChainArm(d.session, c, way, depthDelay, opened))
			}
		}
	}
	again := *d.find(setBased, d.deepest, 0)
	again.name += ", again"
	d.again = &again
	return nil
}

// find is the arm of a way at a depth with a round trip.
func (d *depthRun) find(way string, depth int, delay time.Duration) *chainArm {
	for _, a := range d.arms {
		if a.way == way && a.chain.depth() == depth && a.delay == delay {
			return a
		}
	}
	return nil
}

// trips are the round trips that each execution waited for; repeats that differ
// are told.
func (d *depthRun) trips(a *chainArm) (int64, error) {
	counted, err := stat.Repeated(a.flights)
	if err != nil {
		return 0, fmt.Errorf("counting the round trips of %q: %w", a.name, err)
	}
	if !counted.Equal {
		d.out.Warn("%s: executions waited for %.0f to %.0f round trips", a.name, counted.Low, counted.High)
	}
	return int64(counted.Value), nil
}
