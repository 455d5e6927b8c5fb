package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
	"deletecost/runner/stat"
)

// An Arm is one of the things that are timed in turns.
type Arm struct {
	Name string
	// Once executes the timed thing and returns how long it took. It checks
	// that the thing worked after the clock has stopped.
	Once func(context.Context) (time.Duration, error)
}

// Turns says how arms take turns: Blocks blocks, in each of which every arm is
// visited twice, in a random order and in its reverse, PerVisit executions a
// visit.
type Turns struct {
	Name             string
	Arms             []Arm
	Blocks, PerVisit int
	// Single visits every arm once a block, in a random order: for arms of which
	// one takes over a second, that are repeated and not compared by blocks.
	Single bool
	// Warmup is the executions of each arm before timing, for arms that are too slow
	// to be warmed up until steady: 6 or more where a plan may yet change. Whether
	// they were steady is then judged by what was timed. At 0 the arms are warmed up
	// until none shows a trend.
	Warmup int
	// Warmed says that the arms' sessions ran the same before, so that there is no
	// warm-up.
	Warmed bool
	// Sessions are those that the arms execute on, where they are several: while
	// the arms take turns each is on the same processor, and the client on
	// another (postgres.Place).
	Sessions []*pgx.Conn
	// Keep is called after each block with its samples by arm, in seconds and
	// in order of execution, so that they are on disk at once; without it they go
	// to turns.csv.
	Keep func(block int, seconds [][]float64, noise Noise)
}

// Samples are the timings of arms that took turns.
type Samples struct {
	Arms    []string
	Seconds [][][]float64 // by arm, by block, in order of execution
	Noise   []Noise       // by block
	Warmup  int           // blocks that were run before and not kept
}

const (
	// minWarmup is the fewest executions of an arm before timing: a prepared
	// statement may switch to its generic plan at the sixth.
	minWarmup = 6
	// warmupBlocks are judged together for a trend; there are no more than
	// maxWarmup of them.
	warmupBlocks, maxWarmup = 12, 48
	// warmupVisit is the executions of a visit of a warm-up block.
	warmupVisit = 3
)

// TakeTurns warms the arms up as t says, by default in turns until none of them
// shows a trend, at the most for a set number of blocks, and then times them in
// turns.
func (l *Lab) TakeTurns(ctx context.Context, t Turns) (samples *Samples, err error) {
	step := l.Step(t.Name, t.Blocks)
	defer step.Done()
	if len(t.Sessions) > 0 {
		release, words := postgres.Place(t.Sessions...)
		defer func() { err = errors.Join(err, release()) }()
		l.noise.placed = words
	}
	s := &Samples{Seconds: make([][][]float64, len(t.Arms))}
	for _, a := range t.Arms {
		s.Arms = append(s.Arms, a.Name)
	}
	if s.Warmup, err = l.warmUp(ctx, t); err != nil {
		return nil, err
	}
	rng := l.Rand("turns/" + t.Name)
	for block := range t.Blocks {
		order := stat.Order(rng, len(t.Arms))
		if t.Single {
			order = order[:len(t.Arms)]
		}
		seconds, noise, err := runBlock(ctx, t.Arms, order, t.PerVisit)
		if err != nil {
			return nil, err
		}
		for i := range t.Arms {
			s.Seconds[i] = append(s.Seconds[i], seconds[i])
		}
		s.Noise = append(s.Noise, noise)
		l.noise.add(t.Name, block, noise)
		if t.Keep == nil {
			l.noise.keep(t, block, seconds, noise)
		} else {
			t.Keep(block, seconds, noise)
		}
		step.Advance(1)
	}
	return s, nil
}

// warmUp returns how many blocks it took.
func (l *Lab) warmUp(ctx context.Context, t Turns) (int, error) {
	rng := l.Rand("warmup/" + t.Name)
	if t.Warmed {
		return 0, nil
	}
	if t.Warmup > 0 {
		_, _, err := runBlock(ctx, t.Arms, stat.Order(rng, len(t.Arms))[:len(t.Arms)], t.Warmup)
		return 1, err
	}
	recent := make([][][]float64, len(t.Arms)) // by arm, the last warmupBlocks
	for done := 1; ; done++ {
		seconds, _, err := runBlock(ctx, t.Arms, stat.Order(rng, len(t.Arms)), warmupVisit)
		if err != nil {
			return done, err
		}
		for i := range recent {
			recent[i] = append(recent[i], seconds[i])
			recent[i] = recent[i][max(0, len(recent[i])-warmupBlocks):]
		}
		if done*2*warmupVisit >= minWarmup && (allSteady(recent) || done == maxWarmup) {
			return done, nil
		}
	}
}

// allSteady is false as long as there are too few blocks to tell.
func allSteady(arms [][][]float64) bool {
	for _, blocks := range arms {
		if s, ok := stat.Steady(blocks); !ok || !s.Steady {
			return false
		}
	}
	return true
}

// runBlock visits the arms in the given order and returns their samples by arm.
func runBlock(ctx context.Context, arms []Arm, order []int, perVisit int) ([][]float64, Noise, error) {
	seconds := make([][]float64, len(arms))
	watch := watchNoise()
	var yield postgres.Yield
	for _, i := range order {
		for range perVisit {
			if err := ctx.Err(); err != nil {
				return nil, Noise{}, err
			}
			yield.Between()
			watch.between()
			took, err := arms[i].Once(ctx)
			if err != nil {
				return nil, Noise{}, fmt.Errorf("timing %q: %w", arms[i].Name, err)
			}
			watch.after()
			seconds[i] = append(seconds[i], took.Seconds())
		}
	}
	return seconds, watch.stop(), nil
}

// Of returns an arm's samples by block, nil for an unknown arm.
func (s *Samples) Of(arm string) [][]float64 {
	for i, name := range s.Arms {
		if name == arm {
			return s.Seconds[i]
		}
	}
	return nil
}
