package archive

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// A source is what the streams of an export read: tables that are locked, in
// one snapshot.
type source struct {
	conn     *pgx.Conn // holds the locks
	snapshot string    // as pg_export_snapshot names it
	taken    time.Time
	forms    [][]form // of the columns of each table
}

// lock locks the tables against writers and then takes the snapshot. The other
// way around the snapshot would miss what a writer commits in between, and see
// nothing of a table that is rewritten. LOCK and SET take no snapshot.
func (r *run) lock(ctx context.Context) (*source, error) {
	conn, err := r.connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ"); err != nil {
		return nil, fmt.Errorf("beginning the export: %w", err)
	}
	for _, t := range r.tables {
		if r.cfg.mistake == noLock || r.cfg.mistake == readCommitted {
			break
		}
		if _, err := conn.Exec(ctx, fmt.Sprintf("LOCK TABLE ONLY %s IN SHARE MODE", t.ident())); err != nil {
			return nil, lockError(err, fmt.Sprintf("locking %s in share mode", t))
		}
	}
	s := &source{conn: conn}
	if err := conn.QueryRow(ctx, "SELECT pg_export_snapshot(), clock_timestamp()").Scan(&s.snapshot, &s.taken); err != nil {
		return nil, fmt.Errorf("exporting the snapshot: %w", err)
	}
	return s, nil
}

// describe fills in the manifest what is known before the rows. Under the lock
// the columns cannot change any more; the types are checked once more.
func (r *run) describe(ctx context.Context, s *source, m *Manifest) error {
	if err := s.conn.QueryRow(ctx, "SELECT current_setting('server_version')").Scan(&m.Server); err != nil {
		return fmt.Errorf("reading the server's version: %w", err)
	}
	m.Snapshot = s.taken.UTC()
	p := &inspector{conn: s.conn, cfg: r.cfg}
	for _, t := range r.tables {
		was := t.oid
		if err := t.look(ctx, s.conn); err != nil {
			return err
		}
		if t.oid != was || t.parentOID != 0 {
			return fmt.Errorf("%w: table %q is another one, or attached, since it was detached: run again", ErrForeign, t)
		}
		if err := p.checkTypes(ctx, t); err != nil {
			return err
		}
		table, how, err := t.describe(ctx, s.conn)
		if err != nil {
			return err
		}
		m.Tables, s.forms = append(m.Tables, *table), append(s.forms, how)
	}
	return preflightError(p.found)
}

// join opens a connection that sees the export's snapshot.
func (r *run) join(ctx context.Context, s *source) (*pgx.Conn, error) {
	conn, err := r.connect(ctx)
	if err != nil {
		return nil, err
	}
	begin := fmt.Sprintf("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '%s'", s.snapshot)
	if r.cfg.mistake == readCommitted {
		begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
	}
	if _, err := conn.Exec(ctx, begin); err != nil {
		return nil, fmt.Errorf("joining the export's snapshot: %w", err)
	}
	return conn, nil
}

// copyTables streams the tables, cfg.Streams at a time, while finished parts
// are read back.
func (r *run) copyTables(ctx context.Context, s *source, m *Manifest) error {
	paced := newPace(r.cfg.RowsPerSecond)
	conns := make([]*pgx.Conn, len(m.Tables))
	for i := range conns {
		var err error
		if conns[i], err = r.join(ctx, s); err != nil {
			return err
		}
	}
	v := r.startVerifier(ctx)
	err := r.step("export", func() error {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(r.cfg.Streams)
		for i := range m.Tables {
			group.Go(func() error { return r.copyTable(ctx, conns[i], &m.Tables[i], s.forms[i], v, paced) })
		}
		return group.Wait()
	})
	v.finish()
	if err != nil {
		return err
	}
	if err := r.reach("before verify"); err != nil {
		return err
	}
	if v.parts > 0 {
		r.timed("verify", v.start, v.end)
	}
	if err := faultError(r.cfg.Dir, v.result(m)); err != nil {
		return err
	}
	return r.reach("after verify")
}
