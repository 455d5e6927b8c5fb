package softdelete

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/roundtrip"
	"deletecost/runner/stat"
)

// addedChecks is how often the injected round trip is checked with SELECT 1
// before timing. One check is uncertain by some 10 µs on a busy machine; their
// median decides, and all are shown.
const addedChecks = 9

var addedTable = runner.TableSpec{Name: "added_round_trip", Title: "The injected round trip",
	Note: "Valid when the median of what the checks added to SELECT 1 is within 5 µs or 2 % of what was asked for, and the waits as well; figures that rest on an invalid round trip are marked and not quoted. Each query is one flight and waits once; waited is the median of those waits. A server that idled answers later than one that is asked back to back, so without is taken after an equal idle time.",
	Columns: []runner.Column{word("check", ""), {Name: "asked_s", Unit: "s"}, {Name: "waited_s", Unit: "s", Meaning: "median wait"}, word("valid", ""),
		{Name: "added_s", Unit: "s", Meaning: "SELECT 1: with less without"}, {Name: "with_s", Unit: "s", Meaning: "median of SELECT 1 with the delay"},
		{Name: "without_s", Unit: "s", Meaning: "median without, after an equal idle time"}, {Name: "back_to_back_s", Unit: "s", Meaning: "median without, at once"}}}

// checkAdded checks the injected round trip before anything is timed with it.
// A condition whose round trip is a wrong one is labelled invalid.
func (b *bench) checkAdded(ctx context.Context, conn *pgx.Conn, network *roundtrip.Network, c *condition, to latencyTables) error {
	if c.added == 0 {
		return nil
	}
	var added []float64
	waitsValid := true
	for i := range addedChecks {
		checked, err := roundtrip.Check(ctx, conn, network, []time.Duration{c.added})
		if err != nil {
			return err
		}
		a := checked[0]
		added = append(added, a.Added.Seconds())
		waitsValid = waitsValid && roundtrip.Valid(a.Asked, a.Waited)
		to.added.Add(fmt.Sprintf("SELECT 1, check %d", i+1), a.Asked, a.Waited, a.Valid, a.Added, a.With, a.Without, a.BackToBack)
	}
	median := time.Duration(stat.Median(added) * float64(time.Second))
	b.addedValid = waitsValid && roundtrip.Valid(c.added, median)
	none := runner.NA{Reason: "the median is of what the checks added"}
	to.added.Add("SELECT 1, median", c.added, none, b.addedValid, median, none, none, none)
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
		b.out.Warn("the injected round trip of %v missed its mark (see added_round_trip.csv), so its figures are invalid: a quieter machine is needed", c.added)
	}
}
