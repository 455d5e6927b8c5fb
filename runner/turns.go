package runner

import (
	"context"
	"fmt"
	"time"

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
// visit, after Warmup untimed executions of every arm.
type Turns struct {
	Name                     string
	Arms                     []Arm
	Blocks, PerVisit, Warmup int
}

// Samples are the timings of arms that took turns.
type Samples struct {
	Arms    []string
	Seconds [][][]float64 // by arm, by block, in order of execution
	Noise   []Noise       // by block
}

// minWarmup is the fewest executions before timing: a prepared statement may
// switch to its generic plan at the sixth.
const minWarmup = 6

// TakeTurns warms every arm up and times them in turns.
func (l *Lab) TakeTurns(ctx context.Context, t Turns) (*Samples, error) {
	step := l.Step(t.Name, t.Blocks)
	defer step.Done()
	s := &Samples{Seconds: make([][][]float64, len(t.Arms))}
	for i, a := range t.Arms {
		s.Arms = append(s.Arms, a.Name)
		s.Seconds[i] = make([][]float64, t.Blocks)
		if _, err := visit(ctx, a, max(t.Warmup, minWarmup)); err != nil {
			return nil, err
		}
	}
	rng := l.Rand("turns/" + t.Name)
	for block := range t.Blocks {
		watch := watchNoise()
		for _, i := range stat.Order(rng, len(t.Arms)) {
			seconds, err := visit(ctx, t.Arms[i], t.PerVisit)
			if err != nil {
				return nil, err
			}
			s.Seconds[i][block] = append(s.Seconds[i][block], seconds...)
		}
		s.Noise = append(s.Noise, watch())
		step.Advance(1)
	}
	return s, nil
}

func visit(ctx context.Context, a Arm, times int) ([]float64, error) {
	seconds := make([]float64, times)
	for i := range seconds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		took, err := a.Once(ctx)
		if err != nil {
			return nil, fmt.Errorf("timing %q: %w", a.Name, err)
		}
		seconds[i] = took.Seconds()
	}
	return seconds, nil
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
