package bulkdelete

import (
	"context"
	"deletecost/runner/postgres"
	"fmt"
	"time"
)

// A queueState is the queue after a VACUUM.
type queueState struct {
	dead, heap, index int64   // rows, bytes, bytes
	seconds           float64 // of the VACUUM
}

// cycle queues rows, deletes all that are visible and vacuums.
func (h *holderBench) cycle(ctx context.Context) (queueState, error) {
	rows := h.lab.Knob("queue_rows")
	tag, err := h.conn.Exec(ctx, fmt.Sprintf("INSERT INTO t_queue (job) SELECT repeat('x', 100) FROM generate_series(1, %d)", rows))
	if err == nil {
		tag, err = h.conn.Exec(ctx, "DELETE FROM t_queue")
	}
	if err == nil && tag.RowsAffected() != int64(rows) {
		err = fmt.Errorf("%d rows deleted, expected %d", tag.RowsAffected(), rows)
	}
	if err != nil {
		return queueState{}, fmt.Errorf("queueing %d rows: %w", rows, err)
	}
	if h.standby != nil {
		if err := postgres.Execute(ctx, h.standby, tellXmin); err != nil {
			return queueState{}, err
		}
	}
	return h.vacuum(ctx)
}

// vacuum vacuums the queue and looks at it.
func (h *holderBench) vacuum(ctx context.Context) (s queueState, err error) {
	defer h.lab.Watch("VACUUM beside a holder")()
	start := time.Now()
	if err := postgres.Execute(ctx, h.conn, "VACUUM t_queue"); err != nil {
		return s, err
	}
	s.seconds = time.Since(start).Seconds()
	err = h.conn.QueryRow(ctx, "SELECT dead_tuple_count, pg_relation_size('t_queue'), pg_indexes_size('t_queue') FROM pgstattuple('t_queue')").Scan(&s.dead, &s.heap, &s.index)
	if err != nil {
		return s, fmt.Errorf("looking at the queue: %w", err)
	}
	return s, nil
}

// holdersSQL lists who has an xmin, or a transaction that others must count as
// running, from the views that tell. The asking session is left out.
const holdersSQL = `
SELECT coalesce(string_agg(format('%s (age %s)', place, age(xid)), ', ' ORDER BY place), 'no view')
FROM (SELECT 'pg_stat_activity.backend_xmin' AS place, backend_xmin AS xid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      UNION ALL SELECT 'pg_stat_activity.backend_xid', backend_xid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      UNION ALL SELECT 'pg_prepared_xacts.transaction', transaction FROM pg_prepared_xacts
      UNION ALL SELECT 'pg_replication_slots.xmin', xmin FROM pg_replication_slots
      UNION ALL SELECT 'pg_replication_slots.catalog_xmin', catalog_xmin FROM pg_replication_slots
      UNION ALL SELECT 'pg_stat_replication.backend_xmin', backend_xmin FROM pg_stat_replication) AS every
WHERE xid IS NOT NULL`

func (h *holderBench) seen(ctx context.Context) (text string, err error) {
	if err := h.conn.QueryRow(ctx, holdersSQL).Scan(&text); err != nil {
		return "", fmt.Errorf("reading who holds xmin: %w", err)
	}
	return text, nil
}

// letGo releases a holder and waits until nobody holds what the last DELETE
// made dead: an idle standby goes on to tell of the newest transaction.
func (h *holderBench) letGo(ctx context.Context, release func(context.Context) error) (seconds float64, err error) {
	start := time.Now()
	if err := release(ctx); err != nil {
		return 0, fmt.Errorf("letting go: %w", err)
	}
	err = awaitTrue(ctx, h.conn, `SELECT coalesce(max(age(xid)), 0) <= 0 FROM (SELECT backend_xmin FROM pg_stat_replication UNION ALL SELECT xmin FROM pg_replication_slots
		UNION ALL SELECT backend_xmin FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS held (xid)`)
	return time.Since(start).Seconds(), err
}
