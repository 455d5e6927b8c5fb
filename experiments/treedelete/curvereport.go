package treedelete

import (
	"fmt"
	"slices"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// The p50 of the query for active rows that source s1 published, in seconds.
const (
	publishedSoftActive = 0.000503
	publishedHardActive = 0.000274
)

var curveTimesTable = runner.TableSpec{Name: "soft_curve_times", Title: "Active rows of source s1, over the round trips: times",
	Note: "Prepared statements on one session, until the last of 50 rows is read. Quantile intervals come from resampling whole blocks (95 %).",
	Columns: []runner.Column{{Name: "round_trip", Text: true, Meaning: "added"}, {Name: "arm", Text: true},
		{Name: "p50_s", Unit: "s"}, {Name: "p50_low_s", Unit: "s"}, {Name: "p50_high_s", Unit: "s"}, {Name: "min_s", Unit: "s"}, {Name: "max_s", Unit: "s"},
		{Name: "later_s", Unit: "s", Meaning: "p50 less the round trip, less p50 without one: what idling costs"},
		{Name: "executions"}, {Name: "steady", Text: true, Meaning: "no trend over the blocks (Mann-Kendall, 1 %)"}}}

var curveTable = runner.TableSpec{Name: "soft_curve", Title: "Active rows of source s1, soft over hard, over the round trips",
	Note: "The model adds the round trip to both medians without one and nothing else. A server that idled during the round trip answers later, the more it reads the later, and the model leaves that out: soft_curve_times.csv has how much. The floor is the far end of the interval of the hard table against itself; a ratio nearer to 1 cannot be told from 1. At which round trip the published ratio was measured is not known: it stands in the row of 0.25 ms, which its container and driver are estimated to have added.",
	Columns: []runner.Column{{Name: "round_trip", Text: true, Meaning: "added"}, {Name: "added_s", Unit: "s", Meaning: "asked for"},
		{Name: "select_1_s", Unit: "s", Meaning: "SELECT 1 over the same round trip, of added_round_trip.csv: with the way over the socket"},
		{Name: "series", Text: true, Meaning: "measured, or invalid"},
		{Name: "ratio", Unit: "x"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"}, {Name: "floor", Unit: "x"}, {Name: "told_from_1", Text: true, Meaning: "the interval leaves out 1, and the ratio is further from it than the floor"},
		{Name: "model", Unit: "x"}, {Name: "model_low", Unit: "x"}, {Name: "model_high", Unit: "x"}, {Name: "off_model", Unit: "%", Meaning: "ratio over model, less 1"},
		{Name: "published", Unit: "x", Meaning: "0.503 over 0.274 ms"},
		{Name: "method", Text: true, Meaning: "of the ratio's interval"}, {Name: "level", Meaning: "its coverage"}, {Name: "blocks"},
		{Name: "autocorrelation", Meaning: "lag 1, of the logarithms of the block ratios"}, {Name: "autocorrelation_limit", Meaning: "5 % limit of independent blocks"}}}

var curvePlaceTable = runner.TableSpec{Name: "soft_curve_published", Title: "The round trip that the published ratio of source s1 would need",
	Note: "The round trip at which the model gives the published ratio, from the medians without an added round trip. It is what these queries on this machine would need, and not what the source had, whose queries may have taken other times.",
	Columns: []runner.Column{{Name: "soft_s", Unit: "s", Meaning: "published p50"}, {Name: "hard_s", Unit: "s", Meaning: "published p50"},
		{Name: "ratio", Unit: "x", Meaning: "of them"}, {Name: "round_trip_s", Unit: "s", Meaning: "at which the model gives it"}}}

func (c *curveRun) openTables() {
	c.times, c.ratios, c.placed = c.out.Table(curveTimesTable), c.out.Table(curveTable), c.out.Table(curvePlaceTable)
	c.at, c.near = map[time.Duration]runner.Ref{}, map[string]float64{}
}

// report writes one round trip down. The first has none: the model rests on it.
func (c *curveRun) report(delay time.Duration, s *runner.Samples) error {
	if delay == 0 {
		c.soft, c.hard = s.Of(curveSoft), s.Of(curveHard)
		c.placePublished()
	}
	for _, arm := range s.Arms {
		if err := c.addTimes(delay, arm, s.Of(arm)); err != nil {
			return err
		}
	}
	return c.addRatio(delay, s)
}

func (c *curveRun) addTimes(delay time.Duration, arm string, blocks [][]float64) error {
	i, ok := stat.BlockQuantileInterval(blocks, 0.5, 0.95, c.lab.Rand("curve/"+arm+delay.String()))
	trend, judged := stat.Steady(blocks)
	if !ok || !judged {
		return fmt.Errorf("timing %q: %d blocks are too few for an interval; it needs at least 12", arm, len(blocks))
	}
	if !trend.Steady {
		c.drifts = append(c.drifts, fmt.Sprintf("%s, %s %.2f", arm, c.name(delay), trend.Drift))
	}
	if i.Warning != "" {
		c.out.Warn("active rows, %s, %s: %s", arm, c.name(delay), i.Warning)
	}
	all := slices.Concat(blocks...)
	var later any = runner.NA{Reason: "without a round trip nothing idles"}
	if delay == 0 {
		c.near[arm] = stat.Median(all)
	} else {
		later = stat.Median(all) - delay.Seconds() - c.near[arm]
	}
	c.times.Add(c.name(delay), arm, stat.Median(all), i.Low, i.High, slices.Min(all), slices.Max(all), later, len(all), trend.Steady)
	return nil
}

// addRatio adds the measured ratio and what the model makes of it.
func (c *curveRun) addRatio(delay time.Duration, s *runner.Samples) error {
	rng := c.lab.Rand("curve/" + delay.String())
	p, err := stat.PairedRatio(s.Of(curveSoft), s.Of(curveHard), rng)
	if err != nil {
		return err
	}
	itself, err := stat.PairedRatio(s.Of(curveAgain), s.Of(curveHard), rng)
	if err != nil {
		return err
	}
	floor := stat.NoiseFloor(itself)
	if floor.Missed {
		c.out.Warn("active rows, %s: the hard table differs from itself, 1 lies outside of the interval (it will in 1 of 20)", c.name(delay))
	}
	expected, err := stat.PairedRatio(shifted(c.soft, delay.Seconds()), shifted(c.hard, delay.Seconds()), rng)
	if err != nil {
		return err
	}
	model := curveModel(stat.PooledMedian(c.soft), stat.PooledMedian(c.hard), delay.Seconds())
	one, err := c.out.Number(runner.Ref{Table: "added_round_trip", Row: c.delays[delay].at.Row, Value: "with_s"})
	if err != nil {
		return err
	}
	series, published := "measured", any(runner.NA{Reason: "the source published one ratio"})
	if c.invalid(delay) != "" {
		series = "measured, round trip invalid"
	}
	if delay == publishedCurveDelay {
		published = publishedSoftActive / publishedHardActive
	}
	row := c.ratios.Add(c.name(delay), delay, one.Value, series, p.Ratio, p.Low, p.High, floor.Distance, stat.ToldApart(p.Interval, p.Ratio, floor.Distance),
		model, min(expected.Low, model), max(expected.High, model), 100*(p.Ratio/model-1), published,
		p.Method, p.Level, p.Blocks, p.Autocorrelation, p.AutocorrelationLimit)
	c.at[delay] = c.ratios.RefRatio(row, "ratio", "ratio_low", "ratio_high", "floor")
	return nil
}

// placePublished finds the round trip that the published ratio would need here.
func (c *curveRun) placePublished() {
	ratio := publishedSoftActive / publishedHardActive
	var place any = curvePlace(stat.PooledMedian(c.soft), stat.PooledMedian(c.hard), ratio)
	if place.(float64) < 0 {
		place = runner.NA{Reason: "the ratio without a round trip is already nearer to 1 than the published one"}
	}
	c.place = c.placed.Add(publishedSoftActive, publishedHardActive, ratio, place)
}
