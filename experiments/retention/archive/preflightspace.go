package archive

import (
	"context"
	"deletecost/runner/diskspace"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkSpace compares the room for the archive with half of the tables' heap
// and TOAST: what compressed rows take (measured: a quarter of the heap for the
// rows of source s4) with room for rows that compress badly. It is an estimate:
// bytea that does not compress takes more than its own size, as hexadecimal.
// Scratch tables lie on the server's own disk, which may be another machine's
// and is not looked at; the server says itself when it is full.
func (p *inspector) checkSpace(ctx context.Context, tables []*relation) error {
	var size int64
	for _, t := range tables {
		var bytes int64 // NULL, so 0, for a table that does not exist
		err := p.conn.QueryRow(ctx, "SELECT coalesce(pg_table_size($1::oid::regclass), 0)", t.oid).Scan(&bytes)
		if err != nil {
			return fmt.Errorf("reading the size of table %q: %w", t, err)
		}
		size += bytes
	}
	dir := existing(p.cfg.Dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		p.refuse("%q is no folder that can be used: choose another", dir)
		return nil
	}
	free, err := diskspace.Free(dir)
	if err != nil {
		return fmt.Errorf("reading the free space of %q: %w", dir, err)
	}
	p.need = size / 2
	held, err := p.held(tables)
	if err == nil && free+held < p.need {
		p.refuse("the archive may need %d bytes and %q has %d free: choose a folder on another disk", p.need, dir, free+held)
	}
	return err
}

// held is the room, in bytes, that the folder has taken already if it is ours:
// all that is needed when the archive is complete, else what is discarded.
func (p *inspector) held(tables []*relation) (sum int64, err error) {
	if _, err := os.Lstat(filepath.Join(p.cfg.Dir, MarkerName)); err != nil {
		return 0, nil
	}
	err = eachFile(p.cfg.Dir, func(name string) error {
		info, err := os.Lstat(filepath.Join(p.cfg.Dir, name))
		switch {
		case err != nil:
			return fmt.Errorf("reading the size of %q: %w", name, err)
		case name == ManifestName:
			sum += p.need
		case ofTables(strings.TrimSuffix(name, TempSuffix), tables):
			sum += info.Size()
		}
		return nil
	})
	return sum, err
}

// existing is a path or the nearest folder above it that exists.
func existing(path string) string {
	path, err := filepath.Abs(path)
	for err == nil {
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}
