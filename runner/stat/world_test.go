package stat

import (
	"math"
	"math/rand/v2"

	"github.com/aclements/go-moremath/stats"
)

// world draws the blocks of two arms of which everything is known.
type world struct {
	name string
	// sample draws one sample; its median is 1.
	sample func(*rand.Rand) float64
	// shared and own draw the logarithm of how slow each block is: shared for both arms, own for each by itself. nil is 0.
	shared, own func(rng *rand.Rand, blocks int) []float64
	// first is as own, for the first arm alone.
	first func(rng *rand.Rand, blocks int) []float64
}

// worlds are what the intervals are held against. Blocks differ by 10 % for both arms at once, unless a world says more.
var worlds = []world{
	{name: "log-normal", sample: lognormal, shared: apart(0.1)},
	{name: "exponential tail", sample: tailed, shared: apart(0.1)},
	{name: "two humps", sample: humps, shared: apart(0.1)},
	{name: "blocks 30 % apart", sample: lognormal, shared: apart(0.3)},
	{name: "AR(1) 0.2", sample: lognormal, shared: apart(0.1), own: following(0.2, straight)},
	{name: "AR(1) 0.5", sample: lognormal, shared: apart(0.1), own: following(0.5, straight)},
	{name: "AR(1) 0.5, exponential tail", sample: lognormal, shared: apart(0.1), own: following(0.5, bent)},
	{name: "AR(1) 0.8", sample: lognormal, shared: apart(0.1), own: following(0.8, straight)},
	{name: "drift of 40 % in both", sample: lognormal, shared: drifting},
	{name: "a neighbour, both arms", sample: lognormal, shared: disturbed},
	{name: "a neighbour, one arm", sample: lognormal, shared: apart(0.1), first: disturbed},
}

// draw makes so many blocks of so many samples an arm; the first arm's are the ratio times as large.
func (w world) draw(rng *rand.Rand, blocks, size int, ratio float64) (a, b [][]float64) {
	shared := levels(w.shared, rng, blocks)
	own, other := levels(w.own, rng, blocks), levels(w.own, rng, blocks)
	first := levels(w.first, rng, blocks)
	for k := range blocks {
		a = append(a, w.block(rng, size, ratio*math.Exp(shared[k]+own[k]+first[k])))
		b = append(b, w.block(rng, size, math.Exp(shared[k]+other[k])))
	}
	return a, b
}

func (w world) block(rng *rand.Rand, size int, scale float64) []float64 {
	xs := make([]float64, size)
	for i := range xs {
		xs[i] = scale * w.sample(rng)
	}
	return xs
}

// of takes one arm's values with one sample a block.
func (w world) series(rng *rand.Rand, n int) []float64 {
	a, _ := w.draw(rng, n, 1, 1)
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = a[i][0]
	}
	return xs
}

func levels(draw func(*rand.Rand, int) []float64, rng *rand.Rand, blocks int) []float64 {
	if draw == nil {
		return make([]float64, blocks)
	}
	return draw(rng, blocks)
}

// apart draws levels that do not depend on each other.
func apart(sd float64) func(*rand.Rand, int) []float64 {
	return func(rng *rand.Rand, blocks int) []float64 {
		xs := make([]float64, blocks)
		for k := range xs {
			xs[k] = sd * rng.NormFloat64()
		}
		return xs
	}
}

// following draws levels that are an autoregressive process of the first order, 20 % apart. The shape bends its values
// and keeps 0 where it is.
func following(rho float64, shape func(z float64) float64) func(*rand.Rand, int) []float64 {
	return func(rng *rand.Rand, blocks int) []float64 {
		xs := make([]float64, blocks)
		z := rng.NormFloat64()
		for k := range xs {
			xs[k] = 0.2 * shape(z)
			z = rho*z + math.Sqrt(1-rho*rho)*rng.NormFloat64()
		}
		return xs
	}
}

// drifting grows by 40 % from the first block to the last.
func drifting(_ *rand.Rand, blocks int) []float64 {
	xs := make([]float64, blocks)
	for k := range xs {
		xs[k] = math.Log1p(0.4 * (float64(k) + 0.5) / float64(blocks))
	}
	return xs
}

// disturbed makes each block take twice as long in one case of 20.
func disturbed(rng *rand.Rand, blocks int) []float64 {
	xs := make([]float64, blocks)
	for k := range xs {
		if rng.Float64() < 0.05 {
			xs[k] = math.Ln2
		}
	}
	return xs
}

func straight(z float64) float64 { return z }

// bent gives normal values an exponential distribution with a median of 0.
func bent(z float64) float64 { return -math.Log(stats.StdNormal.CDF(-z)) - math.Ln2 }

func lognormal(rng *rand.Rand) float64 { return math.Exp(0.2 * rng.NormFloat64()) }

// tailed is a latency with a floor and an exponential tail, as long as the floor in the mean.
func tailed(rng *rand.Rand) float64 { return (1 + rng.ExpFloat64()) / (1 + math.Ln2) }

// humps is a latency that has a buffer in one case of four to wait for, at twice the time; the median of all is 1.
func humps(rng *rand.Rand) float64 {
	x := math.Exp(0.05*rng.NormFloat64()) / medianOfHumps
	if rng.Float64() < 0.25 {
		return 2 * x
	}
	return x
}

// medianOfHumps is where three quarters of a log-normal with a σ of 0.05 reach one half: at its quantile 2/3.
var medianOfHumps = math.Exp(0.05 * stats.StdNormal.InvCDF(2.0/3))
