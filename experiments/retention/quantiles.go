package retention

import (
	"deletecost/runner"
	"deletecost/runner/stat"
)

var quantilesTable = runner.TableSpec{Name: "latency_quantiles", Title: "Distribution of the writers' latencies by phase, open loop", Raw: true,
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "phase", Text: true}, {Name: "percent", Unit: "%", Meaning: "inserts that took at most as long"}, {Name: "latency_s", Unit: "s", Meaning: "latency of an insert"}}}

// shownPercents are where the distribution is read; none is further out than
// p99, which a hundred inserts are enough for.
var shownPercents = []float64{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 97, 98, 99}

// distribute writes down the distribution of each phase.
func (b *bench) distribute(r *retired) {
	sorted := r.phased()
	for _, phase := range phases {
		xs := seconds(sorted[phase])
		if len(xs) == 0 {
			continue
		}
		for _, p := range shownPercents {
			b.quantiles.Add(r.name, phase, p, stat.Quantile(xs, p/100))
		}
	}
}
