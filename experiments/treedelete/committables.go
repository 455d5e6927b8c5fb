package treedelete

import (
	"fmt"
	"slices"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var commitArmsTable = runner.TableSpec{Name: "commit_arms", Title: "One DELETE by primary key, prepared, with its own commit and without",
	Note: "Each statement deletes one row, in one round trip; each timed one follows one that is not timed. The one COMMIT around all statements is not in any time. The interval of a median comes from resampling whole blocks.",
	Columns: []runner.Column{
		{Name: "transaction", Text: true, Meaning: "of a statement"}, {Name: "synchronous_commit", Text: true}, {Name: "round_trip", Text: true, Meaning: "added"},
		{Name: "median_s", Unit: "s"}, {Name: "median_low_s", Unit: "s"}, {Name: "median_high_s", Unit: "s"}, {Name: "min_s", Unit: "s"}, {Name: "max_s", Unit: "s"},
		{Name: "statements", Meaning: "timed"}, {Name: "deleted", Unit: "rows", Meaning: "by all statements, timed or not"},
		{Name: "steady", Text: true, Meaning: "no trend over the blocks (Mann-Kendall, 1 %)"}}}

var commitPartsTable = runner.TableSpec{Name: "commit_parts", Title: "What a statement with its own commit is made of",
	Note: "The parts add up to the whole: each is a median, or the difference of the medians of two arms of which one does that much less. Flush: synchronous_commit on less off. Transaction, no flush: of its own, off, less one around all. Server and client: in one transaction, without an added round trip. Added round trip: the waits themselves. Later answer after idling: what the added round trip cost beyond its waits. The interval of a difference is that of the differences of the blocks, stretched to hold the value where it must be. Inside one transaction synchronous_commit changes nothing: on less off is an arm against itself.",
	Columns: []runner.Column{
		{Name: "round_trip", Text: true, Meaning: "added"}, {Name: "part", Text: true}, {Name: "kind", Text: true, Meaning: "parts add up to the whole"},
		{Name: "seconds", Unit: "s"}, {Name: "seconds_low", Unit: "s"}, {Name: "seconds_high", Unit: "s"},
		{Name: "of_incident", Unit: "%", Meaning: "of the source's 2.9 ms a statement"}, {Name: "of_incident_low", Unit: "%"}, {Name: "of_incident_high", Unit: "%"},
		{Name: "told_from_0", Text: true, Meaning: "the interval leaves out 0, and the time is further from it than an arm from itself"},
		{Name: "method", Text: true, Meaning: "of the interval"}, {Name: "level", Meaning: "its coverage"},
		{Name: "autocorrelation", Meaning: "lag 1, of the blocks"}, {Name: "autocorrelation_limit", Meaning: "5 % limit of independent blocks"}}}

// report writes the arms down and takes them apart.
func (c *commitRun) report() error {
	arms := c.out.Table(commitArmsTable)
	for _, a := range c.arms {
		s, err := commitMedian(a.taken, c.lab.Rand("commits/"+a.label()+a.roundTrip))
		if err != nil {
			return fmt.Errorf("timing %q: %w", a.label(), err)
		}
		c.warnOf("one DELETE, "+a.label()+", "+a.roundTrip, s.Interval)
		all := slices.Concat(a.taken...)
		trend, judged := stat.Steady(a.taken)
		var steady any = trend.Steady
		if !judged {
			steady = runner.NA{Reason: "too few blocks to look for a trend"}
		} else if !trend.Steady {
			c.out.Warn("one DELETE, %s, %s: not steady; time of the last third of the blocks over that of the first: %.2f", a.label(), a.roundTrip, trend.Drift)
		}
		arms.Add(a.transaction(), a.synchronous, a.roundTrip, s.seconds, s.Low, s.High, slices.Min(all), slices.Max(all), len(all), a.deleted(), steady)
	}
	parts := c.out.Table(commitPartsTable)
	rows := map[string]int{}
	for _, delay := range c.commitDelays() {
		split, err := c.split(delay)
		if err != nil {
			return err
		}
		c.addParts(parts, c.name(delay), split, rows)
	}
	c.conclude(parts, rows)
	return nil
}

// addParts adds the parts of one round trip; rows tells where they are, by
// round trip and part.
func (c *commitRun) addParts(t *runner.Table, roundTrip string, parts []commitPart, rows map[string]int) {
	floor := max(-parts[0].took.Low, parts[0].took.High)
	share := func(seconds float64) float64 { return 100 * seconds / incidentDelay.Seconds() }
	for _, p := range parts {
		var told any = stat.ToldFrom0(p.took.Interval, p.took.seconds, floor)
		if p.kind == "noise" {
			told = runner.NA{Reason: "an arm against itself is what the others are held against"}
			if p.took.Low > 0 || p.took.High < 0 {
				c.out.Warn("one DELETE in one transaction, %s: the arm differs from itself, 0 lies outside of the interval (it will in 1 of 20)", roundTrip)
			}
		}
		if p.name != partLeft { // whose interval is that of the whole
			c.warnOf("one DELETE, "+roundTrip+", "+p.name, p.took.Interval)
		}
		rows[roundTrip+"/"+p.name] = t.Add(roundTrip, p.name, p.kind, p.took.seconds, p.took.Low, p.took.High,
			share(p.took.seconds), share(p.took.Low), share(p.took.High), told, p.took.Method, p.took.Level, p.took.autocorrelation, p.took.limit)
	}
}

// conclude says which part of the incident's 2.9 ms a commit could explain.
func (c *commitRun) conclude(t *runner.Table, rows map[string]int) {
	none, away := c.name(0), c.name(c.far())
	seconds := func(roundTrip, part string) runner.Ref {
		return t.RefRange(rows[roundTrip+"/"+part], "seconds", "seconds_low", "seconds_high")
	}
	share := func(part string) runner.Ref {
		return t.RefRange(rows[none+"/"+part], "of_incident", "of_incident_low", "of_incident_high")
	}
	untold := func(part string) string {
		if t.Text(rows[none+"/"+part], "told_from_0") == "no" {
			return ", which cannot be told from nothing"
		}
		return ""
	}
	s := runner.Say("{} of the source's 2.9 ms a statement could be the flush of a commit of its own, which takes {} here"+untold(partFlush)+"; its transaction without the flush takes {}"+untold(partOwn)+
		", server and client {}, so that {} are left for the way there and back.",
		share(partFlush), seconds(none, partFlush), seconds(none, partOwn), seconds(none, partServer), share(partLeft))
	if c.invalid(0) == "" && c.invalid(c.far()) == "" {
		s.Text += " With an injected round trip of {} such a statement takes {}."
		s.Refs = append(s.Refs, c.delays[c.far()].at, seconds(away, partWhole))
	}
	c.out.Conclude(s)
	if why := c.invalid(c.far()); why != "" {
		c.out.Warn("what one statement with its own commit takes is invalid where a round trip is added: %s", why)
	}
	c.out.NotShown("What a commit flush costs on the source's disk. Its share of 2.9 ms is that of the file system of this machine's temporary folder, with one client, so that no two commits share a flush.")
	c.out.Figure(runner.Figure{Name: "commit_parts", Title: "What a statement with its own commit is made of",
		HowToRead: "The parts of one colour add up to the time of one statement, with intervals. Without an added round trip the parts of the network do not exist.",
		Layers: []runner.Layer{{Mark: runner.Bar, Table: "commit_parts", X: "part", Y: "seconds", By: "round_trip",
			Low: "seconds_low", High: "seconds_high", Where: map[string]string{"kind": "part"}}}})
}
