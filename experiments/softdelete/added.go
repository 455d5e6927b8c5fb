package softdelete

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/roundtrip"
)

// checkAdded measures what the injected round trip adds to SELECT 1; figures
// that rest on a wrong one are said to be invalid.
func (b *bench) checkAdded(ctx context.Context, conn *pgx.Conn, network *roundtrip.Network, c condition, to latencyTables) error {
	if c.added == 0 {
		return nil
	}
	checked, err := roundtrip.Check(ctx, conn, network, []time.Duration{c.added})
	if err != nil {
		return err
	}
	a := checked[0]
	row := to.added.Add(c.name, a.Asked, a.Added, a.Valid)
	b.at.added = to.added.Ref(row, "measured_s")
	if !a.Valid {
		b.out.Warn("%s: the injected round trip measured %v where %v was asked for: its figures are invalid", c.name, a.Added, a.Asked)
	}
	return nil
}
