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

// addedChecks is how often the injected round trip is checked; their median
// decides, and all are shown.
const addedChecks = 5

// checkAdded measures what the injected round trip adds to SELECT 1; figures
// that rest on a wrong one are invalid and are not quoted.
func (b *bench) checkAdded(ctx context.Context, conn *pgx.Conn, network *roundtrip.Network, c condition, to latencyTables) error {
	if c.added == 0 {
		return nil
	}
	var seconds []float64
	for range addedChecks {
		checked, err := roundtrip.Check(ctx, conn, network, []time.Duration{c.added})
		if err != nil {
			return err
		}
		seconds = append(seconds, checked[0].Added.Seconds())
	}
	median, asked := stat.Median(seconds), c.added.Seconds()
	b.addedValid = math.Abs(median-asked) <= max(5e-6, asked/50)
	for i, s := range seconds {
		to.added.Add(i+1, c.added, s, runner.NA{Reason: "the median of all checks decides"})
	}
	b.at.added = to.added.Ref(to.added.Add("median", c.added, median, b.addedValid), "measured_s")
	if !b.addedValid {
		b.out.Warn("%s: the injected round trip measured %s where %s was asked for, so its figures are invalid: a quieter machine is needed", c.label,
			time.Duration(median*1e9), c.added)
	}
	return nil
}
