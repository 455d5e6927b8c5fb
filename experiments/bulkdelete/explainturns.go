package bulkdelete

import (
	"context"
	"fmt"
	"slices"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// againstItself is the name of the arm that does what the first arm does.
func againstItself(name string) string { return name + ", against itself" }

// armColumns describe what compareArms adds a row of.
func armColumns(name string) []runner.Column {
	return []runner.Column{{Name: name, Text: true}, {Name: "blocks"}, {Name: "noisy_blocks", Meaning: "somebody else disturbed them; they are kept"},
		{Name: "seconds", Unit: "s", Meaning: "median of all executions"}, {Name: "seconds_low", Unit: "s", Meaning: "95 %, whole blocks resampled"}, {Name: "seconds_high", Unit: "s"},
		{Name: "steady", Text: true, Meaning: "no trend over the blocks"},
		{Name: "ratio", Unit: "x", Meaning: "times the first line"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"},
		{Name: "noise_floor", Unit: "x", Meaning: "how far from 1 the first line came out against itself"},
		{Name: "autocorrelation", Meaning: "lag 1, of the logarithms of the blocks' ratios"}, {Name: "autocorrelation_limit", Meaning: "of independent blocks, 5 %"}, {Name: "method", Text: true, Meaning: "of the ratio's interval"}}
}

// compareArms times arms in turns and holds them against the first; the second
// does the same as the first, for the noise floor.
func (a *asides) compareArms(ctx context.Context, turns runner.Turns, t *runner.Table) error {
	name, arms := turns.Name, turns.Arms
	turns.PerVisit = 1
	s, err := a.lab.TakeTurns(ctx, turns)
	if err != nil {
		return err
	}
	same, err := stat.PairedRatio(s.Seconds[1], s.Seconds[0], a.lab.Rand(name+"/floor"))
	if err != nil {
		return fmt.Errorf("comparing %q with itself: %w", arms[0].Name, err)
	}
	floor := stat.NoiseFloor(same)
	a.warnOf(name+": the noise floor", floor.Warnings)
	for i, arm := range arms {
		if err := a.addArm(name, arm.Name, i, s, floor, t); err != nil {
			return err
		}
	}
	return nil
}

// addArm adds an arm's row; the first has no ratio.
func (a *asides) addArm(name, arm string, i int, s *runner.Samples, floor stat.Floor, t *runner.Table) error {
	noisy := 0
	for _, n := range s.Noise {
		if n.Noisy() {
			noisy++
		}
	}
	row := []any{arm, len(s.Seconds[i]), noisy, stat.Median(slices.Concat(s.Seconds[i]...))}
	if interval, ok := stat.BlockQuantileInterval(s.Seconds[i], 0.5, 0.95, a.lab.Rand(name+"/time/"+arm)); ok {
		row = append(row, interval.Low, interval.High)
		if interval.Warning != "" {
			a.out.Warn("%s: %s: %s", name, arm, interval.Warning)
		}
	} else {
		none := runner.NA{Reason: "too few blocks for an interval"}
		row = append(row, none, none)
	}
	row = append(row, a.steadiness(name+": "+arm, s.Seconds[i]))
	if i == 0 {
		none := runner.NA{Reason: "the first line is what the others are compared with"}
		t.Add(append(row, slices.Repeat([]any{none}, len(t.Columns)-len(row))...)...)
		return nil
	}
	p, err := stat.PairedRatio(s.Seconds[i], s.Seconds[0], a.lab.Rand(name+"/"+arm))
	if err != nil {
		return fmt.Errorf("comparing %q: %w", arm, err)
	}
	if i > 1 { // the floor's warnings are told already
		a.warnOf(name+": "+arm, p.Warnings)
	}
	t.Add(append(row, p.Ratio, p.Low, p.High, floor.Distance, p.Autocorrelation, p.AutocorrelationLimit, p.Method)...)
	return nil
}

// steadiness is whether an arm was warm by what was timed of it; a warning says
// how far it drifted when not.
func (a *asides) steadiness(what string, blocks [][]float64) any {
	s, ok := stat.Steady(blocks)
	if !ok {
		return runner.NA{Reason: "too few blocks to see a trend"}
	}
	if !s.Steady {
		a.out.Warn("%s: not steady; time of the last third of the blocks over that of the first: %.2f", what, s.Drift)
	}
	return s.Steady
}

func (a *asides) warnOf(what string, warnings []string) {
	for _, w := range warnings {
		a.out.Warn("%s: %s", what, w)
	}
}
