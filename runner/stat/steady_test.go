package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSteady(t *testing.T) {
	rising, level, spike := ones(40), ones(40), ones(40)
	rng := rand.New(rand.NewPCG(seed, 10))
	for k := range 40 {
		noise := math.Exp(0.05 * rng.NormFloat64())
		level[k][0], spike[k][0] = noise, noise
		rising[k][0] = noise * (1 + float64(k)/100)
	}
	spike[0][0], spike[1][0] = 10, 5
	for _, test := range []struct {
		name   string
		blocks [][]float64
		steady bool
	}{
		{"level", level, true}, {"all equal", ones(12), true}, {"rising by 39 %", rising, false}, {"two slow blocks", spike, true},
	} {
		got, ok := Steady(test.blocks)
		if !ok || got.Steady != test.steady {
			t.Errorf("%s: %+v, %v, want steady %v", test.name, got, ok, test.steady)
		}
	}
	if _, ok := Steady(ones(11)); ok {
		t.Error("11 blocks are judged, want not")
	}
	if _, ok := Steady(append(ones(12), nil)); ok {
		t.Error("an empty block is judged, want not")
	}
}

func TestMannKendall(t *testing.T) {
	// 12 rising values: 66 pairs rise, the variance is 12·11·29/18, z = 65/14.5831 = 4.4572.
	up := blocksOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	got, _ := Steady(up)
	if math.Abs(got.P-8.3031e-6) > 1e-9 || !near(got.Drift, 10.5/2.5) {
		t.Errorf("12 rising blocks: %+v, want P 8.30e-6 and a drift of 4.2", got)
	}
	// Pairs of equal values: 60 pairs rise, six ties take 6·(2·1·9/18) off, z = 59/√206.667 = 4.1041.
	tied := blocksOf(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
	if got, _ := Steady(tied); math.Abs(got.P-4.0591e-5) > 1e-9 {
		t.Errorf("12 blocks with ties: %+v, want P 4.06e-5", got)
	}
}

// Blocks without a trend are flagged in about 1 of 100.
func TestSteadyRarelyFlags(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 11))
	flagged := 0
	for range 2000 {
		a, _ := worlds[1].draw(rng, 40, 10, 1)
		s, _ := Steady(a)
		flagged += count(!s.Steady)
	}
	t.Logf("flagged in %.1f %%", float64(flagged)/20)
	if float64(flagged)/20 > 2 {
		t.Errorf("blocks without a trend are flagged in %.1f %%, want about 1 %%", float64(flagged)/20)
	}
}
