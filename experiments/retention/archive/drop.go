package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// drop is the last transaction: nobody else can reach the tables from its
// beginning on, they are what was exported, the files are what was verified,
// and all tables go at once.
func (r *run) drop(ctx context.Context) error {
	conn, err := r.connect(ctx)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL READ COMMITTED"); err != nil {
		return fmt.Errorf("beginning the drop: %w", err)
	}
	var names []string
	for _, t := range r.tables {
		names = append(names, t.ident())
	}
	all := strings.Join(names, ", ")
	steps := []struct {
		name string
		do   func() error
	}{
		{"exclusive", func() error { return r.exclude(ctx, conn) }},
		{"recount", func() error { return r.recount(ctx, conn) }},
		{"rehash", r.rehash},
		{"intend", r.intend},
		{"drop", func() error { return execute(ctx, conn, "DROP TABLE "+all) }},
		{"gone", func() error { return r.gone(ctx, conn, all) }},
		{"commit", func() error { return execute(ctx, conn, "COMMIT") }},
	}
	for _, s := range steps {
		if err := r.step(s.name, s.do); err != nil {
			return err
		}
	}
	r.conclude(StateDropped)
	return r.record()
}

// intend notes that the tables are about to be dropped: if they are found to be
// gone without it, somebody else did that.
func (r *run) intend() error {
	if err := note(r.disk, r.cfg.Dir, droppingLine); err != nil {
		return fmt.Errorf("noting the drop in folder %q: %w: nothing was dropped; make the folder writable and run again", r.cfg.Dir, err)
	}
	return nil
}

// gone looks whether those that were compared are the ones that the drop, by
// name, has taken: a lock of a table does not hold the name of its schema.
func (r *run) gone(ctx context.Context, conn *pgx.Conn, names string) error {
	var oids []uint32
	for _, t := range r.tables {
		oids = append(oids, t.oid)
	}
	var left int
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = ANY ($1)", oids).Scan(&left); err != nil {
		return fmt.Errorf("looking whether the tables are dropped: %w: run again", err)
	}
	if left > 0 {
		return fmt.Errorf("%w: other tables have taken the names %s: nothing was dropped", ErrForeign, names)
	}
	return nil
}

func execute(ctx context.Context, conn *pgx.Conn, sql string) error {
	tag, err := conn.Exec(ctx, sql)
	if err == nil && tag.String() == "ROLLBACK" {
		err = errors.New("the server has rolled the transaction back")
	}
	if err != nil {
		return fmt.Errorf("%s: %w: run again to see what holds", strings.ToLower(sql[:1])+sql[1:], err)
	}
	return nil
}

// exclude locks everybody out and looks whether the tables are still those that
// were detached: DROP would also take a partition whose detach is pending.
func (r *run) exclude(ctx context.Context, conn *pgx.Conn) error {
	if err := r.control.Ping(ctx); err != nil {
		return fmt.Errorf("%w: the connection that keeps other runs out is gone: %w: nothing was dropped; run again", ErrLocked, err)
	}
	for _, t := range r.tables {
		if _, err := conn.Exec(ctx, fmt.Sprintf("LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE", t.ident())); err != nil {
			return lockError(err, fmt.Sprintf("locking %s to drop it", t))
		}
		was := t.oid
		if err := t.look(ctx, conn); err != nil {
			return err
		}
		if t.oid != was || t.parentOID != 0 || t.pending {
			return fmt.Errorf("%w: %q is another table than the one that was exported, or attached again: nothing was dropped", ErrForeign, t)
		}
	}
	return nil
}

// recount compares the tables, which are locked, with the manifest.
func (r *run) recount(ctx context.Context, conn *pgx.Conn) error {
	if r.cfg.mistake == noRecount {
		return nil
	}
	for i, t := range r.tables {
		changed, err := r.changed(ctx, conn, t, &r.manifest.Tables[i])
		if err != nil {
			return err
		}
		if changed != "" {
			return fmt.Errorf("%w: %q: %s: nothing was dropped; run again to have it exported anew", ErrChanged, t, changed)
		}
	}
	return nil
}

// rehash reads the files once more, and the manifest.
func (r *run) rehash() error {
	if r.cfg.mistake == dropEarly {
		return nil
	}
	onDisk, faults := checkManifest(r.cfg.Dir)
	if onDisk != nil {
		was, err := r.manifest.encode()
		is, err2 := onDisk.encode()
		if err != nil || err2 != nil || !bytes.Equal(was, is) {
			faults = append(faults, Fault{ManifestName, "is another than the one that was written"})
		}
	}
	return faultError(r.cfg.Dir, append(faults, Rehash(r.cfg.Dir, r.manifest)...))
}
