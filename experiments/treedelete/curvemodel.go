package treedelete

// curveModel is the ratio that two times without an added round trip have once
// a round trip is added to both; all in seconds.
func curveModel(soft, hard, roundTrip float64) float64 {
	return (soft + roundTrip) / (hard + roundTrip)
}

// curvePlace is the round trip in seconds at which the model gives a ratio. It
// is negative where the ratio without a round trip is already nearer to 1.
func curvePlace(soft, hard, ratio float64) float64 {
	return (soft - ratio*hard) / (ratio - 1)
}

// shifted adds a time to every sample.
func shifted(blocks [][]float64, seconds float64) [][]float64 {
	all := make([][]float64, len(blocks))
	for k, block := range blocks {
		for _, s := range block {
			all[k] = append(all[k], s+seconds)
		}
	}
	return all
}
