package retention

import (
	"slices"

	"deletecost/runner"
)

// slices that a phase is cut into, so that what disturbed a moment is drawn as
// one when an interval is resampled.
const phaseSlices = 20

// seconds are the latencies of samples.
func seconds(all []sample) []float64 {
	xs := make([]float64, len(all))
	for i, s := range all {
		xs[i] = s.seconds()
	}
	return xs
}

var latencyTable = runner.TableSpec{Name: "writers", Title: "Inserts of the writers by phase",
	Note: "Latency from the scheduled start in the open loop, and from the start of the statement in the closed one, which a stalled server holds back from asking. An insert that overlaps the detach or the drop is counted there, whichever else it overlaps; “between” is everything else during the pipeline, such as comparing. Intervals of p99 at 95 % come from resampling 20 consecutive slices of a phase; may_be_narrow says which of the two may cover less, and why. Phases do not take turns, so the floor is that of the writers alone: in the row of the phase before, the p99 of its second half over that of its first, which has half the inserts on either side and so errs on the wide side.",
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "loop", Text: true}, {Name: "phase", Text: true}, {Name: "inserts"},
		{Name: "p50_s", Unit: "s"}, {Name: "p99_s", Unit: "s"}, {Name: "p99_low_s", Unit: "s"}, {Name: "p99_high_s", Unit: "s"}, {Name: "slowest_s", Unit: "s", Meaning: "slowest insert"},
		{Name: "p99_over_before", Unit: "x"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"},
		{Name: "floor", Unit: "x", Meaning: "how far from 1 the halves of the phase before came out"}, {Name: "told_apart", Text: true, Meaning: "the interval leaves out 1, and the ratio is further from it than the floor"},
		{Name: "may_be_narrow", Text: true, Meaning: "interval, and why"}}}

var sampleTable = runner.TableSpec{Name: "insert_samples", Title: "Inserts of the writers", Raw: true,
	Note: "Of each phase of each run the slowest 100 inserts and up to 1,000 others, evenly spaced; quantiles are of all of them.",
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "loop", Text: true}, {Name: "phase", Text: true},
		{Name: "scheduled_s", Unit: "s", Meaning: "since the pipeline began"}, {Name: "latency_s", Unit: "s", Meaning: "latency of an insert"}}}

var pointsTable = runner.TableSpec{Name: "insert_points", Title: "Inserts of the writers that are drawn", Raw: true,
	Note:    "Of each phase of each run the slowest 60 inserts and up to 140 others, evenly spaced: as many as a figure draws of a series.",
	Columns: sampleTable.Columns}

// Samples of a phase that the CSV keeps, and those that a figure draws, which
// would choose for itself among more than 200.
const (
	keptSlowest, keptOthers   = 100, 1000
	drawnSlowest, drawnOthers = 60, 140
)

// kept chooses the slowest samples and others evenly, in their order.
func kept(all []sample, slowest, others int) []sample {
	if len(all) <= slowest+others {
		return all
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int((all[b].done - all[b].scheduled) - (all[a].done - all[a].scheduled))
	})
	chosen := order[:slowest:slowest]
	for i := range others {
		chosen = append(chosen, i*(len(all)-1)/(others-1))
	}
	slices.Sort(chosen)
	var some []sample
	for _, i := range slices.Compact(chosen) {
		some = append(some, all[i])
	}
	return some
}

// latencies writes down one run's inserts and returns the rows by phase.
func (b *bench) latencies(r *retired) map[string]int {
	rows := map[string]int{}
	sorted := r.phased()
	for _, phase := range phases {
		all := sorted[phase]
		if len(all) == 0 {
			continue
		}
		keep := func(t *runner.Table, some []sample) {
			for _, s := range some {
				at := r.crewBegan.Sub(r.began).Seconds() + float64(s.scheduled)/1e9
				t.Add(r.name, r.loop, phase, at, s.seconds())
			}
		}
		keep(b.samples, kept(all, keptSlowest, keptOthers))
		keep(b.points, kept(all, drawnSlowest, drawnOthers))
	}
	b.latencyRowsOf(r, sorted, rows)
	return rows
}
