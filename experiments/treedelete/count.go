package treedelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// counts are what was counted of one deletion, unlike any that is timed.
type counts struct {
	sent      int64 // statements that the client sent: top level
	deletions int64 // statements that delete, at whatever level
	checks    int64 // queries of foreign keys
	buffers   int64 // shared buffers hit and read, with those of triggers
	wal       int64 // bytes, with those of triggers

	rows, flights   int64 // rows deleted, as the server says; round trips
	walLow, walHigh int64 // bytes: difference of insert positions
}

// String says the counts that are exact.
func (c counts) String() string {
	return fmt.Sprintf("%d statements sent, %d that delete, %d key checks, %d buffers, %d bytes of WAL, %d rows, %d round trips", c.sent, c.deletions, c.checks, c.buffers, c.wal, c.rows, c.flights)
}

// countsSQL leaves out what the proof around a deletion sends. Keys are checked
// by queries of their own, which the server writes as SELECT 1 FROM ONLY.
const countsSQL = `
SELECT coalesce(sum(calls) FILTER (WHERE toplevel), 0)::bigint,
       coalesce(sum(calls) FILTER (WHERE query ~* '^\s*(DELETE|WITH)'), 0)::bigint,
       coalesce(sum(calls) FILTER (WHERE NOT toplevel AND query ~ '^SELECT \$?\d+ FROM ONLY'), 0)::bigint,
       coalesce(sum(shared_blks_hit + shared_blks_read) FILTER (WHERE toplevel), 0)::bigint,
       coalesce(sum(wal_bytes) FILTER (WHERE toplevel), 0)::bigint
FROM pg_stat_statements
WHERE query !~* '^\s*(BEGIN|ROLLBACK|SET|SELECT concat_ws|SELECT \(|SELECT pg_)'`

// count runs a deletion twice more, on a session with pg_stat_statements on, and
// returns what was counted.
func (b *bench) count(ctx context.Context, w way, f forest, t tree, mode string) (counts, error) {
	s, err := b.enterCounting(ctx, f)
	if err != nil {
		return counts{}, err
	}
	defer s.close(ctx)
	e, err := b.open(ctx, w.name, w, s, t, 0)
	if err != nil {
		return counts{}, err
	}
	return b.countIn(ctx, e, mode)
}

// enterCounting opens a session on which pg_stat_statements counts.
func (b *bench) enterCounting(ctx context.Context, f forest) (*session, error) {
	s, err := b.enter(ctx, f, "auto")
	if err != nil {
		return nil, err
	}
	if _, err := s.simple(ctx, "SET pg_stat_statements.track = 'all'; SET compute_query_id = on"); err != nil {
		s.close(ctx)
		return nil, err
	}
	return s, nil
}

// countIn counts an entry of a counting session twice. Both must agree but for
// the insert positions, which move by more than the deletion writes.
func (b *bench) countIn(ctx context.Context, e *entry, mode string) (counts, error) {
	if _, err := e.session.simple(ctx, "SET plan_cache_mode = "+mode); err != nil {
		return counts{}, err
	}
	if _, err := e.session.try(ctx, e.deletion, e.tree, e.want, 0, false); err != nil { // what is planned and prepared once
		return counts{}, err
	}
	first, err := e.session.countOnce(ctx, e)
	if err != nil {
		return counts{}, err
	}
	second, err := e.session.countOnce(ctx, e)
	if err != nil {
		return counts{}, err
	}
	first.walLow, first.walHigh = min(first.walLow, second.walLow), max(first.walHigh, second.walHigh)
	second.walLow, second.walHigh = first.walLow, first.walHigh
	if first != second {
		b.out.Warn("%s on %d blocks, %s: %s when counted first, %s then", e.name, e.tree.blocks, mode, first, second)
	}
	return first, nil
}

// countOnce runs a deletion between a reset of the counters and their reading.
func (s *session) countOnce(ctx context.Context, e *entry) (c counts, err error) {
	if _, err := s.simple(ctx, "SELECT pg_stat_statements_reset()"); err != nil {
		return c, err
	}
	result, err := s.try(ctx, e.deletion, e.tree, e.want, 0, true)
	if err != nil {
		return c, fmt.Errorf("counting %q: %w", e.name, err)
	}
	err = s.conn.QueryRow(ctx, countsSQL, pgx.QueryExecModeSimpleProtocol).Scan(&c.sent, &c.deletions, &c.checks, &c.buffers, &c.wal)
	if err != nil {
		return c, fmt.Errorf("reading what %q did: %w", e.name, err)
	}
	c.rows, c.flights, c.walLow, c.walHigh = result.rows, result.flights, result.wal, result.wal
	return c, nil
}
