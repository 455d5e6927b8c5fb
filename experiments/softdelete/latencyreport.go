package softdelete

import (
	"fmt"
	"slices"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// report writes down one condition's samples, their quantiles and ratios.
func (b *bench) report(c condition, s *runner.Samples, to latencyTables) error {
	for block, n := range s.Noise {
		if !n.Available {
			none := runner.NA{Reason: "this system does not tell"}
			to.noise.Add(c.label, block+1, none, none, none)
			continue
		}
		to.noise.Add(c.label, block+1, n.Steal, n.Switches, n.Steal > 0)
	}
	for _, r := range readings {
		blocks := s.Of(r.name)
		for block, seconds := range blocks {
			for i, v := range seconds {
				to.samples.Add(c.label, r.name, block+1, i+1, v)
			}
		}
		b.summarize(c, r, blocks, to)
	}
	return b.compare(c, s, to.ratios)
}

// summarize adds a reading to the source's two tables.
func (b *bench) summarize(c condition, r reading, blocks [][]float64, to latencyTables) {
	cells := b.quantiles(c, r, blocks)
	row := to.queries.Add(append([]any{r.label, r.query, c.label}, cells...)...)
	for _, q := range []string{"p50", "p95", "p99"} {
		b.at.times[c.name+"/"+r.name+"/"+q] = to.queries.RefRange(row, q+"_s", q+"_low_s", q+"_high_s")
	}
	variant, ok := map[string]string{"soft_active": "soft_delete, full index", "soft_partial": "soft_delete, partial index", "hard_active": "hard_delete, reference"}[r.name]
	if ok {
		to.fix.Add(append([]any{variant, c.label}, cells...)...)
	}
}

func (b *bench) quantiles(c condition, r reading, blocks [][]float64) []any {
	all := slices.Concat(blocks...)
	cells := []any{len(all)}
	for _, q := range []float64{0.5, 0.95, 0.99} {
		cells = append(cells, stat.Quantile(all, q))
		i, ok := stat.BlockQuantileInterval(blocks, q, 0.95, b.lab.Rand(fmt.Sprint("quantile/", c.name, r.name, q)))
		if !ok {
			none := runner.NA{Reason: "too few blocks for an interval"}
			cells = append(cells, none, none)
			continue
		}
		cells = append(cells, i.Low, i.High)
	}
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return append(cells, sum/float64(len(all)), slices.Min(all), slices.Max(all), b.steady(c, r, blocks))
}

// steady warns when an arm was still getting faster or slower.
func (b *bench) steady(c condition, r reading, blocks [][]float64) any {
	s, ok := stat.Steady(blocks)
	if !ok {
		return runner.NA{Reason: "too few blocks to see a trend"}
	}
	if !s.Steady {
		b.out.Warn("%s, %s: not steady, the last third of the blocks took %.2f of the time of the first", c.label, r.name, s.Drift)
	}
	return s.Steady
}

// compare adds the ratios of one condition, the floors first.
func (b *bench) compare(c condition, s *runner.Samples, to *runner.Table) error {
	floors := map[string]stat.Floor{}
	for _, k := range comparisons {
		if k.floor != "" {
			continue
		}
		p, err := stat.PairedRatio(s.Of(k.above), s.Of(k.below), b.lab.Rand("ratio/"+c.name+k.name))
		if err != nil {
			return fmt.Errorf("comparing %s: %w", k.title, err)
		}
		floors[k.above] = stat.NoiseFloor(p)
	}
	for _, k := range comparisons {
		p, err := stat.PairedRatio(s.Of(k.above), s.Of(k.below), b.lab.Rand("ratio/"+c.name+k.name))
		if err != nil {
			return fmt.Errorf("comparing %s: %w", k.title, err)
		}
		b.addRatio(c, k, p, floors, to)
		b.addTail(c, k, s, to)
	}
	return nil
}

func (b *bench) addRatio(c condition, k comparison, p stat.Paired, floors map[string]stat.Floor, to *runner.Table) {
	var floor, told any = runner.NA{Reason: "the floor itself"}, runner.NA{Reason: "the floor itself"}
	if f, ok := floors[k.floor]; ok {
		floor, told = f.Distance, !f.Indistinguishable(p.Ratio)
	} else if f := floors[k.above]; f.Missed {
		b.out.Warn("%s, %s: the arm differs from itself, 1 lies outside of the interval (it will in 1 of 20)", c.label, k.title)
	}
	row := to.Add(c.label, k.title, "p50", p.Ratio, p.Low, p.High, p.Level, p.Method, p.Blocks, p.Autocorrelation, floor, told)
	b.at.ratios[c.name+"/"+k.name+"/p50"] = to.RefRange(row, "ratio", "ratio_low", "ratio_high")
	b.at.ratios[c.name+"/"+k.name+"/floor"] = to.Ref(row, "floor")
}

// addTail adds the ratio of the two p99s.
func (b *bench) addTail(c condition, k comparison, s *runner.Samples, to *runner.Table) {
	reason := runner.NA{Reason: "of medians only"}
	ratio, i, ok := stat.BlockQuantileRatio(s.Of(k.above), s.Of(k.below), 0.99, 0.95, b.lab.Rand("tail/"+c.name+k.name))
	var low, high any = i.Low, i.High
	if !ok {
		low, high = runner.NA{Reason: "too few blocks for an interval"}, runner.NA{Reason: "too few blocks for an interval"}
	}
	row := to.Add(c.label, k.title, "p99", ratio, low, high, i.Level, i.Method, len(s.Of(k.above)), reason, reason, reason)
	b.at.ratios[c.name+"/"+k.name+"/p99"] = to.RefRange(row, "ratio", "ratio_low", "ratio_high")
}
