package runner

import (
	"cmp"
	"context"

	"deletecost/runner/postgres"
)

// Standby starts a streaming replica of a server of the experiment's own; what
// the primary must have for it is said at postgres.Host.Standby. It is stopped
// when the experiment ends, before its primary.
func (l *Lab) Standby(ctx context.Context, primary *postgres.Server, o postgres.Options) (*postgres.Server, error) {
	o.Name = cmp.Or(o.Name, "standby")
	return l.start(ctx, o.Name, func() (*postgres.Server, error) { return l.host.Standby(ctx, primary, o) })
}
