package archive

import (
	"bytes"
	"context"
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
		{"drop", func() error { return execute(ctx, conn, "DROP TABLE "+all) }},
		{"commit", func() error { return execute(ctx, conn, "COMMIT") }},
	}
	for _, s := range steps {
		if err := r.step(s.name, s.do); err != nil {
			return err
		}
	}
	r.conclude(StateDropped)
	return nil
}

func execute(ctx context.Context, conn *pgx.Conn, sql string) error {
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w: run again to see what holds", strings.ToLower(sql[:1])+sql[1:], err)
	}
	return nil
}

// exclude locks everybody out and looks whether the tables are still those that
// were detached: DROP would also take a partition whose detach is pending.
func (r *run) exclude(ctx context.Context, conn *pgx.Conn) error {
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
