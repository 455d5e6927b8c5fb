package softdelete

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/roundtrip"
	"deletecost/runner/stat"
)

var addedTable = runner.TableSpec{Name: "added_round_trip", Title: "The injected round trip, checked with SELECT 1",
	Note: "A server that idled answers later than one that is asked back to back, so the delay is held against queries after an equal idle time; the back-to-back figure shows how much waking up costs on this machine. Valid when the median of the checks is within 5 µs or 2 % of what was asked for; figures that rest on an invalid one are marked and not quoted.",
	Columns: []runner.Column{word("check", ""), {Name: "asked_s", Unit: "s"}, {Name: "measured_s", Unit: "s", Meaning: "with the delay less without"},
		{Name: "with_s", Unit: "s", Meaning: "median of SELECT 1 with the delay"}, {Name: "without_s", Unit: "s", Meaning: "median without, after an equal idle time"},
		{Name: "back_to_back_s", Unit: "s", Meaning: "median without, at once"}, word("valid", "")}}

// checkAdded measures what the injected round trip adds to SELECT 1. The
// figures of a condition whose round trip is a wrong one are labelled invalid.
func (b *bench) checkAdded(ctx context.Context, conn *pgx.Conn, network *roundtrip.Network, c *condition, to latencyTables) error {
	if c.added == 0 {
		return nil
	}
	var seconds []float64
	// One check is uncertain by some 10 µs on a busy machine; their median
	// decides, and all are shown.
	for i := range b.lab.Knob("blocks") / 2 {
		checked, err := roundtrip.Check(ctx, conn, network, []time.Duration{c.added})
		if err != nil {
			return err
		}
		a := checked[0]
		seconds = append(seconds, a.Added.Seconds())
		to.added.Add(i+1, a.Asked, a.Added, a.With, a.Without, a.BackToBack, a.Valid)
	}
	median, asked := stat.Median(seconds), c.added.Seconds()
	b.addedValid = math.Abs(median-asked) <= max(5e-6, asked/50)
	none := runner.NA{Reason: "the median is of the added time"}
	b.at.added = to.added.Ref(to.added.Add("median", c.added, median, none, none, none, b.addedValid), "measured_s")
	if !b.addedValid {
		c.label += " (invalid)"
		b.out.Warn("the injected round trip measured %v where %v was asked for, so its figures are invalid: a quieter machine is needed", time.Duration(median*1e9).Round(100*time.Nanosecond), c.added)
	}
	return nil
}
