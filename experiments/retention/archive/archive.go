package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// archive sees to it that a complete archive of the tables lies in the folder:
// an earlier one that still holds, or a new one.
func (r *run) archive(ctx context.Context) error {
	err := r.earlier(ctx)
	if err != nil {
		return err
	}
	if r.manifest != nil {
		r.conclude(StateArchived)
		return nil
	}
	if err := r.clear(); err != nil {
		return err
	}
	m, err := r.export(ctx)
	if err != nil {
		return err
	}
	err = r.step("manifest", func() error {
		m.Created = time.Now().UTC().Truncate(time.Second)
		return WriteManifest(r.disk, r.cfg.Dir, m)
	})
	if err != nil {
		return err
	}
	r.manifest = m
	r.conclude(StateArchived)
	return nil
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
	case !r.same(m):
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
	r.manifest = m
	return nil
}

// same says whether a manifest is of the run's tables, with digests.
func (r *run) same(m *Manifest) bool {
	if len(m.Tables) != len(r.tables) {
		return false
	}
	for i, t := range r.tables {
		if m.Tables[i].Schema != t.schema || m.Tables[i].Name != t.name || m.Tables[i].Digest == noDigest {
			return false
		}
	}
	return true
}
