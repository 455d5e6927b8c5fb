package stat

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A subject is an interval or a verdict that the program shows: try draws from a world and says whether it came out right,
// and whether the program flags it.
type subject struct {
	name string
	try  func(w world, rng *rand.Rand) (right, flagged bool)
	// slow ones resample, so that a reduced simulation draws fewer of them.
	slow bool
	// verdict says that it may be right always: it is not an interval that could be too wide.
	verdict bool
}

// size is the samples of a block, as in the laptop scale's reading latencies.
const size = 25

var subjects = slices.Concat([]subject{
	{name: "ratio of medians, 40 blocks", try: pairedRatio(40)},
	{name: "ratio of medians, 12 blocks", try: pairedRatio(12)},
	{name: "equal arms not called different, 40 blocks", try: equalArms(40), verdict: true},
	{name: "equal arms not called different, 12 blocks", try: equalArms(12), verdict: true},
}, quantileSubjects(), []subject{
	{name: "equal p99 not called different, 40 blocks", try: equalTails, slow: true, verdict: true},
	{name: "range of 5 repeats", try: rangeOfFive},
	{name: "slope of a log-log fit, 4 sizes", try: logLog},
	{name: "coefficient of a fit, 12 points", try: fitted(coefficientOfFit)},
	{name: "prediction of a fit, 12 points", try: fitted(predictionOfFit)},
	{name: "time of an arm, 40 blocks", try: ofBlocks(40)},
	{name: "time of an arm, 12 blocks", try: ofBlocks(12)},
})

func quantileSubjects() []subject {
	var all []subject
	for _, blocks := range []int{40, 20} {
		for _, q := range []float64{0.5, 0.95, 0.99} {
			all = append(all, subject{name: fmt.Sprintf("p%.0f, %d blocks", 100*q, blocks), try: quantile(blocks, q), slow: true})
		}
	}
	return append(all, subject{name: "ratio of p95, 40 blocks", try: quantileRatio(40, 0.95), slow: true},
		subject{name: "ratio of p99, 40 blocks", try: quantileRatio(40, 0.99), slow: true},
		subject{name: "ratio of p99, 20 blocks", try: quantileRatio(20, 0.99), slow: true})
}

func pairedRatio(blocks int) func(world, *rand.Rand) (bool, bool) {
	const ratio = 1.3
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		p := paired(w, rng, blocks, ratio)
		return p.Contains(ratio), p.Interval.Warning != ""
	}
}

func paired(w world, rng *rand.Rand, blocks int, ratio float64) Paired {
	a, b := w.draw(rng, blocks, size, ratio)
	p, err := PairedRatio(a, b, rng)
	if err != nil {
		panic(err) // of a world that is drawn wrongly
	}
	return p
}

// equalArms is right when two equal arms are not called different: the whole verdict, with a floor of its own.
func equalArms(blocks int) func(world, *rand.Rand) (bool, bool) {
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		floor := NoiseFloor(paired(w, rng, blocks, 1))
		p := paired(w, rng, blocks, 1)
		return !ToldApart(p.Interval, p.Ratio, floor.Distance), floor.Missed
	}
}

// equalTails is the same of the ratio of two p99s.
func equalTails(w world, rng *rand.Rand) (right, flagged bool) {
	var itself [2]Interval
	var ratio float64
	for i := range itself {
		a, b := w.draw(rng, 40, size, 1)
		ratio, itself[i], _ = BlockQuantileRatio(a, b, 0.99, level, rng)
	}
	return !ToldApart(itself[1], ratio, FloorOf(itself[0])), itself[1].Warning != ""
}

func quantile(blocks int, q float64) func(world, *rand.Rand) (bool, bool) {
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		a, _ := w.draw(rng, blocks, size, 1)
		i, ok := BlockQuantileInterval(a, q, level, rng)
		s, _ := Steady(a)
		return ok && i.Contains(truthsOf(w).of[0][q]), i.Warning != "" || !s.Steady
	}
}

func quantileRatio(blocks int, q float64) func(world, *rand.Rand) (bool, bool) {
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		a, b := w.draw(rng, blocks, size, 1.3)
		_, i, ok := BlockQuantileRatio(a, b, q, level, rng)
		s, _ := Steady(a)
		of := truthsOf(w).of
		return ok && i.Contains(1.3*of[0][q]/of[1][q]), i.Warning != "" || !s.Steady
	}
}

func ofBlocks(blocks int) func(world, *rand.Rand) (bool, bool) {
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		a, _ := w.draw(rng, blocks, size, 1)
		i, err := OfBlocks(a, rng)
		s, _ := Steady(a)
		return err == nil && i.Contains(truthsOf(w).middle), i.Warning != "" || !s.Steady
	}
}

func rangeOfFive(w world, rng *rand.Rand) (right, flagged bool) {
	s, err := Repeats(w.series(rng, 5))
	return err == nil && s.Contains(truthsOf(w).of[0][0.5]), false
}

func logLog(w world, rng *rand.Rand) (right, flagged bool) {
	x, y := []float64{1e3, 1e4, 1e5, 1e6}, w.series(rng, 4)
	for i := range x {
		y[i] *= 3 * x[i]
	}
	s, err := LogLogSlope(x, y)
	return err == nil && s.Contains(1), false
}

// fitted draws 12 points from 5 ms to 2 s, each the median of 5 repeats.
func fitted(ask func(f Fit, middle float64, w world, rng *rand.Rand) bool) func(world, *rand.Rand) (bool, bool) {
	return func(w world, rng *rand.Rand) (right, flagged bool) {
		var x [][]float64
		var y []float64
		middle := truthsOf(w).five
		rows := slices.Repeat([]float64{0, 1e3, 1e4, 1e5, 3e5, 1e6}, 2)
		a, _ := w.draw(rng, len(rows), 5, 1)
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for i, r := range rows {
			x, y = append(x, []float64{1, r}), append(y, (0.005+2e-6*r)*Median(a[i]))
		}
		f, err := FitTerms([]string{"constant", "rows"}, x, y)
		return err == nil && ask(f, middle, w, rng), false
	}
}

// The coefficient's truth is that of the expected observation.
func coefficientOfFit(f Fit, middle float64, _ world, _ *rand.Rand) bool {
	return f.Coefficients[1].Contains(2e-6 * middle)
}

func predictionOfFit(f Fit, _ float64, w world, rng *rand.Rand) bool {
	a, _ := w.draw(rng, 12, 5, 1)
	return f.Predict([]float64{1, 1e7}).Contains((0.005 + 20) * Median(a[rng.IntN(12)]))
}
