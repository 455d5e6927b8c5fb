package treedelete

import (
	"fmt"
	"math"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var fitTable = runner.TableSpec{Name: "round_trip_fit", Title: "Round trips counted and fitted",
	Note: "Least squares of time = c + k x round trip over the injected round trips, with 95 % intervals: k is the number of round trips that the times show, and should be the number counted on the connection. Every point weighs the same, since the added wait is of known length and the noise is the server's. A server that idled for a round trip answers later than one that is asked at once, which k holds too; k_seen is fitted to the round trip that SELECT 1 saw instead (added_round_trip.csv), which has waking up in it.",
	Columns: []runner.Column{
		{Name: "way", Text: true}, {Name: "counted", Meaning: "round trips counted"},
		{Name: "k", Meaning: "round trips fitted"}, {Name: "k_low"}, {Name: "k_high"},
		{Name: "k_over_counted", Unit: "x"}, {Name: "within_5_percent", Text: true, Meaning: "of the counted; by the interval"},
		{Name: "k_seen", Meaning: "fitted to the round trip that SELECT 1 saw"},
		{Name: "c_s", Unit: "s", Meaning: "time without a round trip, fitted"}, {Name: "c_low_s", Unit: "s"}, {Name: "c_high_s", Unit: "s"},
		{Name: "largest_error_s", Unit: "s", Meaning: "farthest point from the line"}, {Name: "valid", Text: true}}}

// fitDelays fits time against round trip for each way.
func (b *bench) fitDelays() error {
	b.fitRows, b.lineRows = b.out.Table(fitTable), b.out.Table(lineTable)
	for _, w := range ways() {
		var asked, seen, times []float64
		valid := true
		for _, delay := range b.roundTrips() {
			m, err := b.out.Number(b.delayed.Ref(b.delayAt[wayDelay{w.name, delay}], "time_s"))
			if err != nil {
				return err
			}
			asked, seen, times = append(asked, delay.Seconds()), append(seen, b.delays[delay].seen), append(times, m.Value)
			valid = valid && b.delays[delay].valid
		}
		byAsked, err := stat.FitLine(asked, times)
		if err != nil {
			return fmt.Errorf("fitting %q: %w", w.name, err)
		}
		bySeen, err := stat.FitLine(seen, times)
		if err != nil {
			return fmt.Errorf("fitting %q: %w", w.name, err)
		}
		counted := float64(b.generic[w.name].flights(b.generic[w.name].tree))
		c, k := byAsked.Intercept, byAsked.Slope
		b.fitRows.Add(w.name, int64(counted), k.Value, k.Low, k.High, k.Value/counted, b.agrees(w.name, k.Value/counted, k.Low/counted, k.High/counted), bySeen.Slope.Value,
			c.Value, c.Low, c.High, byAsked.MaxError, valid)
		b.keepLine(w.name, byAsked)
	}
	return nil
}

// agrees says whether fitted round trips are those counted, within 5 %.
func (b *bench) agrees(name string, value, low, high float64) string {
	switch {
	case math.Abs(value-1) <= 0.05 && low <= 1.05 && high >= 0.95:
		return "yes"
	case low <= 1.05 && high >= 0.95:
		return "cannot be told"
	}
	b.out.Warn("%s: the times show %.3f of the round trips that were counted, which is more than 5 %% off: see round_trip_fit.csv", name, value)
	return "no"
}

var lineTable = runner.TableSpec{Name: "round_trip_lines", Title: "The fitted lines", Raw: true,
	Columns: []runner.Column{{Name: "way", Text: true}, {Name: "round_trip_ms", Unit: "ms"}, {Name: "time_s", Unit: "s", Meaning: "fitted"}}}

// keepLine writes the fitted line down at even steps of the logarithm.
func (b *bench) keepLine(name string, f stat.Line) {
	least, greatest := b.roundTrips()[1].Seconds(), b.far().Seconds()
	const steps = 12
	for i := range steps + 1 {
		d := least * math.Pow(greatest/least, float64(i)/steps)
		b.lineRows.Add(name, d*1e3, f.At(d))
	}
}

// roundTrips are the injected round trips of this run, from none.
func (b *bench) roundTrips() []time.Duration {
	return append(append([]time.Duration{}, delays[:len(delays)-1]...), b.far())
}

// far is the longest one: what the source's incident took a statement.
func (b *bench) far() time.Duration {
	return time.Duration(b.lab.Knob("round_trip_us")) * time.Microsecond
}
