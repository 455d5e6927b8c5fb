package treedelete

import (
	"strings"
	"time"

	"deletecost/runner"
)

// needed says what round trip the published ratio would need with the times
// measured here, beside what its client is estimated to have added.
func (c *curveRun) needed() runner.Sentence {
	ratio, at := c.placed.Ref(c.place, "ratio"), c.placed.Ref(c.place, "round_trip_s")
	needed, err := c.out.Number(at)
	if err != nil {
		return runner.Say(" No round trip makes the published {} of these times: without one their ratio is nearer to 1 already, so the source's queries took other times than here.", ratio)
	}
	s := runner.Say(" For the published {} a round trip of {} would have to be added to both times", ratio, at)
	estimate := publishedCurveDelay.String() + ", the estimate for what the source's client and container added"
	measured, err := c.out.Number(c.at[publishedCurveDelay])
	if c.invalid(publishedCurveDelay) != "" || err != nil {
		s.Text += "; there is no valid ratio here at " + estimate + "."
		return s
	}
	s.Text += "; at " + estimate + ", this machine measures {}" + publishedWhy(needed.Value, measured) + "."
	s.Refs = append(s.Refs, c.at[publishedCurveDelay])
	return s
}

// publishedWhy is what follows when the published ratio needs a round trip, in
// seconds, and another ratio is measured at the estimated one. What was added to
// the source's hard query is less than that query took.
func publishedWhy(needed float64, measured runner.Measure) string {
	ratio := publishedSoftActive / publishedHardActive
	switch {
	case measured.Low <= ratio && ratio <= measured.High:
		return ", whose interval holds it"
	case needed >= publishedHardActive:
		return ". So much cannot have been added where the hard query took 0.274 ms in all: the source's queries themselves took other times than here"
	case measured.Low > ratio:
		return ": the source's client added more, or its queries themselves took other times than here"
	}
	return ": the source's client added less, or its queries themselves took other times than here"
}

// conclude says what one curve makes of both sources.
func (c *curveRun) conclude() {
	s := runner.Say("{} the time for the 50 newest active rows of soft deletes over hard ones, source s1's query, without an added round trip: the scan passes {} that were removed", c.at[0], c.removed)
	for _, delay := range []time.Duration{publishedCurveDelay, c.far()} {
		if c.invalid(delay) != "" {
			s.Text += "; the injected round trip of " + delay.String() + " missed its mark, so no ratio is given with it"
			continue
		}
		s.Text += "; with an injected round trip of {} it is {}"
		s.Refs = append(s.Refs, c.delays[delay].at, c.at[delay])
		if told, ok := c.out.Word(runner.Ref{Table: "soft_curve", Row: c.at[delay].Row, Value: "told_from_1"}); ok && told == "no" {
			s.Text += ", which cannot be told from 1"
		}
	}
	needed := c.needed()
	s.Text, s.Refs = s.Text+"."+needed.Text, append(s.Refs, needed.Refs...)
	c.out.Conclude(s)
	if len(c.drifts) > 0 {
		c.out.Warn("not steady; time of the last third of the blocks over that of the first: %s", strings.Join(c.drifts, "; "))
	}
	for _, delay := range c.curveDelays() {
		if why := c.invalid(delay); why != "" {
			c.out.Warn("the ratio of active rows at %v is invalid: %s", delay, why)
		}
	}
	c.out.NotShown("The soft-delete query from disk: both tables lie in shared buffers. A cold table adds the same reads with every round trip.")
	c.out.Figure(runner.Figure{Name: "soft_curve", Title: "Active rows of source s1, soft over hard, over the round trip", XLog: true, YLog: true,
		HowToRead: "To the right the client is further away: SELECT 1 as it sees it, over the socket and with each injected round trip. Points are measured ratios with their intervals. The line adds the round trip to the two times without one; points above it show what idling costs the query that reads more. At which round trip the published ratio was measured is not known; it is drawn at an estimate. The further away, the less of the difference shows.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "soft_curve", X: "select_1_s", Y: "model", Label: "model"},
			{Mark: runner.Points, Table: "soft_curve", X: "select_1_s", Y: "ratio", By: "series", Low: "ratio_low", High: "ratio_high"},
			{Mark: runner.Points, Table: "soft_curve", X: "select_1_s", Y: "published", Label: "published (s1), if its client added 0.25 ms"}}})
}
