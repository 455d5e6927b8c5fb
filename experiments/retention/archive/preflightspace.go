package archive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// checkSpace compares the room for the archive with half of the tables' heap
// and TOAST: what compressed rows take (measured: a quarter of the heap for the
// rows of source s4) with room for rows that compress badly. Scratch tables lie
// on the server's own disk, which is not looked at.
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
	free, err := freeSpace(dir)
	if err != nil {
		return fmt.Errorf("reading the free space of %q: %w", dir, err)
	}
	if need := size / 2; free < need {
		p.refuse("the archive may need %d bytes and %q has %d free: choose a folder on another disk", need, dir, free)
	}
	return nil
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
