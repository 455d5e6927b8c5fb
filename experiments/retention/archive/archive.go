package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// archive sees to it that a complete archive of the tables lies in the folder:
// an earlier one that still holds, or a new one.
func (r *run) archive(ctx context.Context) error {
	if err := r.earlier(ctx); err != nil {
		return err
	}
	if r.manifest == nil {
		if err := r.anew(ctx); err != nil {
			return err
		}
	}
	r.conclude(StateArchived)
	return nil
}

// anew writes a new archive. What an earlier one left is discarded, and files
// get their names, only while the tables are locked and seen to be there: no
// other Run can have dropped them, or drop them meanwhile.
func (r *run) anew(ctx context.Context) error {
	var s *source
	err := r.step("lock", func() (err error) {
		s, err = r.lock(ctx)
		return err
	})
	if err != nil {
		return err
	}
	m := &Manifest{Format: Format, Settings: settings()}
	if err := r.describe(ctx, s, m); err != nil {
		return err
	}
	if err := r.clear(); err != nil {
		return err
	}
	if err := r.write(ctx, s, m); err != nil {
		return r.noRoom(ctx, s, err)
	}
	if _, err := s.conn.Exec(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("releasing the tables: %w", err)
	}
	r.manifest = m
	return nil
}

// write writes all parts, durable and read back, and then the manifest.
func (r *run) write(ctx context.Context, s *source, m *Manifest) error {
	export := r.copyTables
	if r.cfg.Method == MethodSource {
		export = r.scanTables
	}
	if err := export(ctx, s, m); err != nil {
		return err
	}
	return r.step("manifest", func() error {
		m.Created = time.Now().UTC().Truncate(time.Second)
		return WriteManifest(r.disk, r.cfg.Dir, m)
	})
}

// noRoom says what to do when the disk is full. The files are removed while the
// tables are still locked, since others may need the room; a Run begins anew.
func (r *run) noRoom(ctx context.Context, s *source, err error) error {
	if !isFull(err) {
		return err
	}
	if _, gone := s.conn.Exec(ctx, "SELECT 1"); gone == nil {
		err = errors.Join(err, r.clear())
	}
	return fmt.Errorf("%w: the archive may need up to %d bytes: no table was dropped; make room on the disk of %q and run again", err, r.need, r.cfg.Dir)
}

// earlier takes over a complete archive that an earlier Run left, when it
// verifies and the tables have not changed since. Otherwise it notes why not.
func (r *run) earlier(ctx context.Context) error {
	m, err := ReadManifest(r.cfg.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, faults, errVerify := VerifyContext(ctx, r.cfg.Dir)
	if errVerify != nil {
		return errVerify
	}
	switch {
	case len(faults) > 0:
		r.out.Discarded = faults[0].String()
		return nil
	case err != nil:
		return err
	case !r.same(m) || slices.ContainsFunc(m.Tables, func(t TableManifest) bool { return t.Digest == noDigest }):
		r.out.Discarded = "its manifest is of other tables, or has no digest"
		return nil
	}
	for i, t := range r.tables {
		changed, err := r.changed(ctx, r.control, t, &m.Tables[i])
		if err != nil {
			return err
		}
		if changed != "" {
			r.out.Discarded = fmt.Sprintf("table %q has changed since: %s", t, changed)
			return nil
		}
	}
	if err := r.settle(m); err != nil {
		return fmt.Errorf("making the archive in %q last: %w", r.cfg.Dir, err)
	}
	r.manifest = m
	return nil
}

// settle makes an archive last that another Run has written: a killed one may
// have left it in the kernel's memory only.
func (r *run) settle(m *Manifest) error {
	names := []string{SumName, ManifestName}
	for _, t := range m.Tables {
		for _, p := range t.Parts {
			names = append(names, p.File)
		}
	}
	for _, name := range names {
		if err := r.disk.SyncFile(filepath.Join(r.cfg.Dir, name)); err != nil {
			return err
		}
	}
	return r.disk.SyncDir(r.cfg.Dir)
}

// same says whether a manifest is of the run's tables.
func (r *run) same(m *Manifest) bool {
	if len(m.Tables) != len(r.tables) {
		return false
	}
	for i, t := range r.tables {
		if m.Tables[i].Schema != t.schema || m.Tables[i].Name != t.name {
			return false
		}
	}
	return true
}
