package archive

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// alone keeps a second Run with one of the same tables out: an advisory lock
// for each, held by the session, in one order so that two cannot deadlock.
func (r *run) alone(ctx context.Context) error {
	var names []string
	for _, t := range r.tables {
		names = append(names, t.ident())
	}
	slices.Sort(names)
	for _, name := range names {
		if _, err := r.control.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended('deletecost archive ' || $1, 0))", name); err != nil {
			return lockError(err, "waiting for another archive run with table "+name)
		}
	}
	return nil
}

// begin finds out what holds and makes the folder ours; finished says that
// everything was done before.
func (r *run) begin(ctx context.Context) (finished bool, err error) {
	fresh := false
	err = r.step("preflight", func() error {
		fresh, finished, err = r.inspect(ctx)
		return err
	})
	if err != nil || finished {
		return finished, err
	}
	return false, r.step("claim", func() error {
		write := r.marker.write
		if fresh {
			write = r.marker.claim
		}
		if err := write(r.disk, r.cfg.Dir); err != nil {
			return fmt.Errorf("%w: writing into folder %q: %w: choose a folder that can be written", ErrPreflight, r.cfg.Dir, err)
		}
		return nil
	})
}

// inspect sets the run's marker; fresh says that the folder has none yet.
func (r *run) inspect(ctx context.Context) (fresh, finished bool, err error) {
	missing := 0
	for _, t := range r.tables {
		if err := t.look(ctx, r.control); err != nil {
			return false, false, err
		}
		if t.oid == 0 {
			missing++
		}
	}
	now, err := markerFor(ctx, r.control, r.tables)
	if err != nil {
		return false, false, err
	}
	was, err := r.folder(now)
	if err != nil {
		return false, false, err
	}
	r.out.Resumed, r.out.State, r.marker = was != nil, r.state(), &now
	if was != nil {
		r.marker = was
	}
	if was != nil && missing > 0 {
		return false, true, r.finished(ctx, missing)
	}
	return was == nil, false, r.mayBegin(ctx, was != nil)
}

// folder checks whose folder it is.
func (r *run) folder(now marker) (*marker, error) {
	was, err := readMarker(r.cfg.Dir)
	if err != nil || was == nil {
		return nil, err
	}
	if err := was.fits(now, r.cfg.Dir); err != nil {
		return nil, err
	}
	others, err := strangers(r.cfg.Dir, r.tables)
	if err == nil && len(others) > 0 {
		err = fmt.Errorf("%w: folder %q also holds %s: move that away", ErrForeign, r.cfg.Dir, strings.Join(others, ", "))
	}
	return was, err
}

// state says where the tables are.
func (r *run) state() State {
	for _, t := range r.tables {
		if t.parentOID != 0 {
			return StateAttached
		}
	}
	return StateDetached
}

// mayBegin runs the preflight. A table that is no partition is only ours when
// the marker says so.
func (r *run) mayBegin(ctx context.Context, begun bool) error {
	if r.marker.dropped {
		return fmt.Errorf("%w: the archive in folder %q is the only copy of tables that were dropped; those that are there now are another server's, or restored: choose another folder", ErrForeign, r.cfg.Dir)
	}
	p, err := preflight(ctx, r.control, r.cfg, r.tables)
	if err != nil {
		return err
	}
	found := p.found
	r.need = p.need
	for _, t := range r.tables {
		if !begun && t.oid != 0 && t.parentOID == 0 {
			found = append(found, fmt.Errorf("table %q is no partition of %s now, and folder %q was not begun for it: attach it, or name the folder that was", t, t.parent.Sanitize(), r.cfg.Dir))
		}
	}
	return preflightError(found)
}

// finished is reached when tables are gone that the folder was begun for: both
// were dropped in one transaction, after the archive was complete.
func (r *run) finished(ctx context.Context, missing int) error {
	if missing < len(r.tables) {
		return fmt.Errorf("%w: some of the tables of folder %q are gone and others are not; this program drops all at once, so somebody else did: archive the others into another folder", ErrForeign, r.cfg.Dir)
	}
	if !r.marker.dropping {
		return fmt.Errorf("%w: the tables of folder %q are gone and this program did not drop them: what verify-archive finds there, if anything, may lack rows that came later", ErrForeign, r.cfg.Dir)
	}
	if err := r.record(); err != nil {
		return err
	}
	_, faults, err := VerifyContext(ctx, r.cfg.Dir)
	if err == nil {
		err = goneError(faultError(r.cfg.Dir, faults))
	}
	if err != nil {
		return err
	}
	if r.manifest, err = ReadManifest(r.cfg.Dir); err != nil {
		return err
	}
	if !r.same(r.manifest) {
		return fmt.Errorf("%w: the archive in folder %q is of other tables", ErrForeign, r.cfg.Dir)
	}
	r.conclude(StateDropped)
	return nil
}

// record notes that the archive is the only copy. The drop is committed, so
// that the disk does not take it changes nothing; the next Run notes it.
func (r *run) record() error {
	if r.marker.dropped {
		return nil
	}
	return r.step("record", func() error {
		_ = note(r.disk, r.cfg.Dir, droppedLine)
		return r.killed()
	})
}

// goneError says what faults mean when the tables are dropped.
func goneError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the tables are gone, the archive was the only copy: take the files from a backup of it: %w", err)
}

// conclude fills the outcome from the manifest.
func (r *run) conclude(s State) {
	r.out.State, r.out.Manifest = s, *r.manifest
	r.out.Rows, r.out.RawBytes, r.out.Bytes = 0, 0, 0
	for i := range r.manifest.Tables {
		t := &r.manifest.Tables[i]
		r.out.Rows, r.out.RawBytes, r.out.Bytes = r.out.Rows+t.Rows, r.out.RawBytes+t.RawBytes, r.out.Bytes+t.Bytes()
	}
}

// clear removes what an export that was cut short left in the folder, the
// manifest first: without one no part counts.
func (r *run) clear() error {
	if err := removeManifest(r.disk, r.cfg.Dir); err != nil {
		return fmt.Errorf("discarding an earlier archive: %w", err)
	}
	return eachFile(r.cfg.Dir, func(name string) error {
		base, temporary := strings.CutSuffix(name, TempSuffix)
		if !temporary && base != SumName && !ofTables(base, r.tables) {
			return nil
		}
		if err := r.disk.Remove(filepath.Join(r.cfg.Dir, name)); err != nil {
			return fmt.Errorf("discarding %q of an export that was cut short: %w", name, err)
		}
		return nil
	})
}
