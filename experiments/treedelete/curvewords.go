package treedelete

import (
	"strings"
	"time"

	"deletecost/runner"
)

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
	s.Text += "."
	at := c.placed.Ref(c.place, "round_trip_s")
	if _, err := c.out.Number(at); err == nil {
		s.Text += " The published {} lies on that curve: the times without a round trip give it with {} added to both."
		s.Refs = append(s.Refs, c.placed.Ref(c.place, "ratio"), at)
	}
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
		HowToRead: "To the right the client is further away: SELECT 1 as it sees it, over the socket and with each injected round trip. Points are measured ratios with their intervals. The line adds the round trip to the two times without one; points above it show what idling costs the query that reads more. The further away, the less of the difference shows.",
		Layers: []runner.Layer{
			{Mark: runner.Line, Table: "soft_curve", X: "select_1_s", Y: "model", Label: "model"},
			{Mark: runner.Points, Table: "soft_curve", X: "select_1_s", Y: "ratio", By: "series", Low: "ratio_low", High: "ratio_high"},
			{Mark: runner.Points, Table: "soft_curve", X: "select_1_s", Y: "published", Label: "published (s1)"}}})
}
