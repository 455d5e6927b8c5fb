package treedelete

import (
	"context"
	"fmt"
	"slices"
	"time"

	"deletecost/runner"
	"deletecost/runner/roundtrip"
	"deletecost/runner/stat"
)

// incidentDelay is what the source's incident took a statement.
const incidentDelay = 2900 * time.Microsecond

// delays are the round trips that are added, from none.
var delays = []time.Duration{0, 100 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, incidentDelay}

// heldOutDelay is used by no fit: check refuses it as the longest round trip.
const heldOutDelay = 1700 * time.Microsecond

var delayTable = runner.TableSpec{Name: "added_round_trip", Title: "The injected round trips",
	Note: "Valid when the median of what the checks added to SELECT 1 is within 5 µs or 2 % of what was asked for, and the waits as well; what rests on an invalid round trip is marked so. SELECT 1 is timed with the round trip and without in turns; a server that idled answers later, so without is taken after an equal idle time. The overshoot is of the waits themselves.",
	Columns: []runner.Column{
		{Name: "asked_s", Unit: "s", Meaning: "round trip asked for"},
		{Name: "added_s", Unit: "s", Meaning: "SELECT 1: with less without"},
		{Name: "added_low_s", Unit: "s", Meaning: "least of the checks"}, {Name: "added_high_s", Unit: "s", Meaning: "greatest of the checks"},
		{Name: "valid", Text: true},
		{Name: "overshoot_p50_s", Unit: "s", Meaning: "wait less asked"}, {Name: "overshoot_p95_s", Unit: "s"},
		{Name: "with_s", Unit: "s", Meaning: "median of SELECT 1 with it"}, {Name: "without_s", Unit: "s", Meaning: "median without, after an equal idle time"},
		{Name: "back_to_back_s", Unit: "s", Meaning: "median without, asked at once"},
		{Name: "seen_s", Unit: "s", Meaning: "round trip as SELECT 1 sees it: with it less back to back, the server's waking up included"},
		{Name: "checks"}, {Name: "samples", Meaning: "queries of each kind in all checks"}}}

// checkDelays holds every round trip that will be added against SELECT 1.
func (b *bench) checkDelays(ctx context.Context) error {
	step := b.lab.Step("check the injected round trips", len(delays)+1)
	defer step.Done()
	b.delayRows = b.out.Table(delayTable)
	s, err := b.enter(ctx, forest{}, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	for _, delay := range append(b.roundTrips(), heldOutDelay) {
		if err := b.checkDelay(ctx, s, delay); err != nil {
			return err
		}
		step.Advance(1)
	}
	return nil
}

// checkDelay checks one, several times: one check is uncertain by some
// microseconds, and their median decides.
func (b *bench) checkDelay(ctx context.Context, s *session, delay time.Duration) error {
	checks := b.lab.Knob("delay_checks")
	if delay >= time.Millisecond {
		checks = (checks + 1) / 2
	}
	var added, with, without, atOnce, over []float64
	samples := 0
	for range checks {
		checked, err := roundtrip.Check(ctx, s.conn, s.network, []time.Duration{delay})
		if err != nil {
			return err
		}
		a := checked[0]
		added, with, without = append(added, a.Added.Seconds()), append(with, a.With.Seconds()), append(without, a.Without.Seconds())
		atOnce = append(atOnce, a.BackToBack.Seconds())
		for _, w := range a.Waits {
			over = append(over, (w - delay).Seconds())
		}
		samples += a.Samples
	}
	median := stat.Median(added)
	valid := roundtrip.Valid(delay, seconds(median))
	var p50, p95 any = runner.NA{Reason: "without a round trip there is no wait"}, runner.NA{Reason: "without a round trip there is no wait"}
	if delay > 0 {
		p50, p95 = stat.Quantile(over, 0.5), stat.Quantile(over, 0.95)
		valid = valid && roundtrip.Valid(delay, delay+seconds(stat.Median(over)))
	}
	seen := 0.0
	if delay > 0 {
		seen = stat.Median(with) - stat.Median(atOnce)
	}
	row := b.delayRows.Add(delay, median, slices.Min(added), slices.Max(added), valid, p50, p95, stat.Median(with), stat.Median(without), stat.Median(atOnce), seen, checks, samples)
	b.delays[delay] = checkedDelay{valid: valid, seen: seen, at: b.delayRows.RefRange(row, "added_s", "added_low_s", "added_high_s")}
	if !valid {
		b.out.Warn("the injected round trip of %v missed its mark (added_round_trip.csv), so what rests on it is invalid: a quieter machine is needed", delay)
	}
	return nil
}

// A checkedDelay is a round trip that was held against SELECT 1.
type checkedDelay struct {
	valid bool
	seen  float64    // s: the round trip as SELECT 1 sees it
	at    runner.Ref // what it added
}

// name is a round trip in tables and figures, marked when it is invalid.
func (b *bench) name(delay time.Duration) string {
	switch {
	case !b.delays[delay].valid:
		return delay.String() + " (invalid)"
	case delay == 0:
		return "none added"
	}
	return delay.String()
}

// invalid is why nothing may be said that rests on a round trip; "" when it
// may.
func (b *bench) invalid(delay time.Duration) string {
	if b.delays[delay].valid {
		return ""
	}
	return fmt.Sprintf("the injected round trip of %v missed its mark by more than 5 µs or 2 %%: see added_round_trip.csv", delay)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
