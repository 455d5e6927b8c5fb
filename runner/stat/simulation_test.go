package stat

import (
	"math"
	"math/rand/v2"

	"github.com/aclements/go-moremath/stats"
)

// world draws the blocks of two arms whose true ratio is known.
type world struct {
	name string
	draw func(rng *rand.Rand, blocks int, ratio float64) (a, b [][]float64)
}

var worlds = []world{
	{"lognormal", independent(lognormal)},
	{"exponential tail", independent(tailed)},
	{"AR(1) 0.5, lognormal", following(straight)},
	{"AR(1) 0.5, exponential tail", following(bent)},
}

// independent blocks have a noise that both arms share, and a noise of each sample.
func independent(sample func(*rand.Rand) float64) func(*rand.Rand, int, float64) (a, b [][]float64) {
	return func(rng *rand.Rand, blocks int, ratio float64) (a, b [][]float64) {
		arm := func(scale float64) []float64 {
			xs := make([]float64, 10)
			for i := range xs {
				xs[i] = scale * sample(rng)
			}
			return xs
		}
		for range blocks {
			shared := math.Exp(0.3 * rng.NormFloat64())
			a, b = append(a, arm(ratio*shared)), append(b, arm(shared))
		}
		return a, b
	}
}

// following blocks have a ratio whose logarithm is an autoregressive process of the first order. The shape bends its
// values and keeps 0 where it is, so that the true median stays the ratio.
func following(shape func(z float64) float64) func(*rand.Rand, int, float64) (a, b [][]float64) {
	return func(rng *rand.Rand, blocks int, ratio float64) (a, b [][]float64) {
		const rho = 0.5
		z := rng.NormFloat64()
		for range blocks {
			shared := math.Exp(0.3 * rng.NormFloat64())
			a = append(a, []float64{shared * ratio * math.Exp(0.1*shape(z))})
			b = append(b, []float64{shared})
			z = rho*z + math.Sqrt(1-rho*rho)*rng.NormFloat64()
		}
		return a, b
	}
}

func straight(z float64) float64 { return z }

// bent gives normal values an exponential distribution with a median of 0.
func bent(z float64) float64 { return -math.Log(stats.StdNormal.CDF(-z)) - math.Ln2 }

func lognormal(rng *rand.Rand) float64 { return math.Exp(0.2 * rng.NormFloat64()) }

// tailed is a latency with a floor and an exponential tail.
func tailed(rng *rand.Rand) float64 { return 1 + rng.ExpFloat64() }
