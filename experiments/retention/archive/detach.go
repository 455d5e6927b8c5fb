package archive

import (
	"context"
	"fmt"
)

// detach detaches the partitions, those first whose detach was cut short, since
// a parent can have one of these at a time.
func (r *run) detach(ctx context.Context) error {
	if r.state() != StateAttached {
		return nil
	}
	var attached []*relation
	for _, pending := range []bool{true, false} {
		for _, t := range r.tables {
			if t.parentOID != 0 && t.pending == pending {
				attached = append(attached, t)
			}
		}
	}
	err := r.step("detach", func() error {
		for _, t := range attached {
			if err := r.detachOne(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, t := range attached {
		if err := r.isDetached(ctx, t); err != nil {
			return err
		}
	}
	r.out.State = StateDetached
	return nil
}

// detachOne detaches one partition. CONCURRENTLY waits for the transactions that
// use the parent, in between its own two, and lets writers through while it does.
func (r *run) detachOne(ctx context.Context, t *relation) error {
	how := "CONCURRENTLY"
	if t.pending {
		how = "FINALIZE"
	}
	return r.step("detach "+t.String(), func() error {
		_, err := r.control.Exec(ctx, fmt.Sprintf("ALTER TABLE %s DETACH PARTITION %s %s", t.parent.Sanitize(), t.ident(), how))
		if err != nil {
			return lockError(err, fmt.Sprintf("detaching %s %s", t, how))
		}
		return nil
	})
}

// isDetached looks whether a partition is.
func (r *run) isDetached(ctx context.Context, t *relation) error {
	was := t.oid
	if err := t.look(ctx, r.control); err != nil {
		return err
	}
	if t.oid != was || t.parentOID != 0 {
		return fmt.Errorf("detaching %q: the catalog still has it attached, or has another table of that name: run again", t)
	}
	return nil
}
