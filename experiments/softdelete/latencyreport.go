package softdelete

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// report writes down the quantiles and ratios of one condition.
func (b *bench) report(c condition, s *runner.Samples, to latencyTables) error {
	for _, r := range readings {
		b.summarize(c, r, s.Of(r.name), to)
	}
	b.warnUnsteady(c, s)
	floors := map[string]float64{}
	for _, k := range comparisons {
		if err := b.compareMedians(c, k, s, floors, to.ratios); err != nil {
			return err
		}
		b.compareTails(c, k, s, floors, to.ratios)
	}
	b.warnNarrow(c)
	return nil
}

// variants are the readings of the source's third experiment.
var variants = map[string]string{"soft_active": "soft_delete, full index", "soft_partial": "soft_delete, partial index", "hard_active": "hard_delete, reference"}

// summarize adds a reading to the source's two tables.
func (b *bench) summarize(c condition, r reading, blocks [][]float64, to latencyTables) {
	quantiles := b.quantiles(c, r, blocks)
	row := to.queries.Add(append([]any{r.label, r.query, c.label}, quantiles...)...)
	for _, q := range []string{"p50", "p95", "p99"} {
		b.at.times[c.name+"/"+r.name+"/"+q] = to.queries.RefRange(row, q+"_s", q+"_low_s", q+"_high_s")
	}
	variant, ok := variants[r.name]
	if !ok {
		return
	}
	plan, found := to.plans.Find(map[string]string{"reading": r.name})
	if !found {
		b.out.Warn("%s has no plan", r.name)
		return
	}
	copied := []any{variant, c.label}
	for _, column := range []string{"index_used", "index_bytes", "rows_removed_by_filter"} {
		copied = append(copied, to.plans.Text(plan, column))
	}
	to.fix.Add(append(copied, quantiles...)...)
}

func (b *bench) quantiles(c condition, r reading, blocks [][]float64) []any {
	all := slices.Concat(blocks...)
	row := []any{len(all)}
	for _, q := range []float64{0.5, 0.95, 0.99} {
		row = append(row, stat.Quantile(all, q))
		i, ok := stat.BlockQuantileInterval(blocks, q, 0.95, b.lab.Rand(fmt.Sprint("quantile/", c.name, r.name, q)))
		if !ok {
			none := runner.NA{Reason: "too few blocks for an interval"}
			row = append(row, none, none)
			continue
		}
		row = append(row, i.Low, i.High)
		b.note(fmt.Sprintf("%s %s p%.0f", r.label, r.query, 100*q), i)
	}
	ends := stat.Extremes(all)
	return append(row, stat.Mean(all), ends.Low, ends.High, steady(blocks))
}

// note keeps the warning of an interval until the condition is over.
func (b *bench) note(what string, i stat.Interval) {
	if i.Warning != "" {
		b.narrow[i.Warning] = append(b.narrow[i.Warning], what)
	}
}

// warnNarrow says at once which intervals may be too narrow.
func (b *bench) warnNarrow(c condition) {
	for _, why := range slices.Sorted(maps.Keys(b.narrow)) {
		b.out.Warn("%s: %s: %s", c.label, why, strings.Join(b.narrow[why], ", "))
	}
	clear(b.narrow)
}

func steady(blocks [][]float64) any {
	s, ok := stat.Steady(blocks)
	if !ok {
		return runner.NA{Reason: "too few blocks to see a trend"}
	}
	return s.Steady
}

// warnUnsteady names the readings that were still getting faster or slower.
func (b *bench) warnUnsteady(c condition, s *runner.Samples) {
	var drifts []string
	for _, r := range readings {
		if t, ok := stat.Steady(s.Of(r.name)); ok && !t.Steady {
			drifts = append(drifts, fmt.Sprintf("%s %.2f", r.name, t.Drift))
		}
	}
	if len(drifts) > 0 {
		b.out.Warn("%s: not steady; time of the last third of the blocks over that of the first: %s", c.label, strings.Join(drifts, ", "))
	}
}

// compareMedians adds the ratio of two readings by the medians of their blocks.
func (b *bench) compareMedians(c condition, k comparison, s *runner.Samples, floors map[string]float64, to *runner.Table) error {
	p, err := stat.PairedRatio(s.Of(k.above), s.Of(k.below), b.lab.Rand("ratio/"+c.name+k.name))
	if err != nil {
		return fmt.Errorf("comparing %s: %w", k.title, err)
	}
	if k.floor == "" {
		f := stat.NoiseFloor(p)
		floors[k.name+"/p50"] = f.Distance
		if f.Missed {
			b.out.Warn("%s, %s: the table differs from itself, 1 lies outside of the interval (it will in 1 of 20)", c.label, k.title)
		}
	}
	b.note(k.title+" p50", p.Interval)
	floor, told := against(floors, k, "p50", p.Ratio, p.Interval)
	row := to.Add(c.label, k.title, "p50", p.Ratio, p.Low, p.High, p.Level, p.Method, p.Blocks,
		p.Autocorrelation, p.ScoreAutocorrelation, p.AutocorrelationLimit, floor, told)
	b.keepRatio(c, k, "p50", row, to)
	return nil
}

// compareTails adds the ratio of the two p99s.
func (b *bench) compareTails(c condition, k comparison, s *runner.Samples, floors map[string]float64, to *runner.Table) {
	ratio, i, ok := stat.BlockQuantileRatio(s.Of(k.above), s.Of(k.below), 0.99, 0.95, b.lab.Rand("tail/"+c.name+k.name))
	var low, high, level any = i.Low, i.High, i.Level
	if !ok {
		none := runner.NA{Reason: "too few blocks for an interval"}
		low, high, level = none, none, none
	}
	if k.floor == "" && ok {
		floors[k.name+"/p99"] = stat.FloorOf(i)
	}
	none := runner.NA{Reason: "whole blocks are resampled, whatever depends on what inside of them"}
	b.note(k.title+" p99", i)
	floor, told := against(floors, k, "p99", ratio, i)
	row := to.Add(c.label, k.title, "p99", ratio, low, high, level, i.Method, len(s.Of(k.above)), none, none, none, floor, told)
	b.keepRatio(c, k, "p99", row, to)
}

func (b *bench) keepRatio(c condition, k comparison, quantile string, row int, to *runner.Table) {
	key := c.name + "/" + k.name + "/" + quantile
	b.at.ratios[key] = to.RefRatio(row, "ratio", "ratio_low", "ratio_high", "floor")
	b.at.ratios[key+" floor"] = to.Ref(row, "floor")
}

// against holds a ratio against its floor.
func against(floors map[string]float64, k comparison, quantile string, ratio float64, i stat.Interval) (floor, told any) {
	f, ok := floors[k.floor+"/"+quantile]
	if !ok {
		none := runner.NA{Reason: "a floor has none of its own"}
		return none, none
	}
	return f, stat.ToldApart(i, ratio, f)
}
