package softdelete

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/roundtrip"
)

// addedChecks is how often the injected round trip is checked before timing.
const addedChecks = 3

var addedTable = runner.TableSpec{Name: "added_round_trip", Title: "The injected round trip",
	Note: "Each query is one flight and waits once; waited is the median of those waits, so it is what the delay adds by itself. SELECT 1 with and without the delay shows what a client sees: a server that idled answers later than one that is asked back to back, and on a busy machine two equal queries differ by 10 µs and more. Valid when waited is within 5 µs or 2 % of what was asked for; figures that rest on an invalid one are marked and not quoted.",
	Columns: []runner.Column{word("check", ""), {Name: "asked_s", Unit: "s"}, {Name: "waited_s", Unit: "s", Meaning: "median wait"}, word("valid", ""),
		{Name: "added_s", Unit: "s", Meaning: "SELECT 1: with less without"}, {Name: "with_s", Unit: "s", Meaning: "median of SELECT 1 with the delay"},
		{Name: "without_s", Unit: "s", Meaning: "median without, after an equal idle time"}, {Name: "back_to_back_s", Unit: "s", Meaning: "median without, at once"}}}

// checkAdded checks the injected round trip before anything is timed with it.
// A condition whose round trip is a wrong one is labelled invalid.
func (b *bench) checkAdded(ctx context.Context, conn *pgx.Conn, network *roundtrip.Network, c *condition, to latencyTables) error {
	if c.added == 0 {
		return nil
	}
	b.addedValid = true
	for i := range addedChecks {
		checked, err := roundtrip.Check(ctx, conn, network, []time.Duration{c.added})
		if err != nil {
			return err
		}
		a := checked[0]
		b.addedValid = b.addedValid && a.Valid
		to.added.Add("SELECT 1, "+[]string{"first", "second", "third"}[i]+" check", a.Asked, a.Waited, a.Valid, a.Added, a.With, a.Without, a.BackToBack)
	}
	if !b.addedValid {
		c.label += " (invalid)"
	}
	return nil
}

// checkTimed holds the waits of the timed queries themselves against what was
// asked for.
func (b *bench) checkTimed(network *roundtrip.Network, c condition, to latencyTables) {
	waits := network.Waits()
	if c.added == 0 || len(waits) == 0 {
		return
	}
	slices.Sort(waits)
	median := waits[len(waits)/2]
	b.addedValid = b.addedValid && roundtrip.Valid(c.added, median)
	none := runner.NA{Reason: "the timed queries are not SELECT 1"}
	b.at.added = to.added.Ref(to.added.Add("timed queries", c.added, median, roundtrip.Valid(c.added, median), none, none, none, none), "waited_s")
	if !b.addedValid {
		b.out.Warn("the injected round trip was %v where %v was asked for, so its figures are invalid: a quieter machine is needed", median.Round(100*time.Nanosecond), c.added)
	}
}
