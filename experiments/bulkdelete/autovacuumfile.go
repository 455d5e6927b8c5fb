package bulkdelete

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A fileSize is the size of a table's files at a moment.
type fileSize struct {
	after time.Duration // since the DELETE
	bytes int64         // of the main fork
}

// relationFile is the path of the first file of the table's main fork.
func (t *trial) relationFile(ctx context.Context) (string, error) {
	var path string
	if err := t.conn.QueryRow(ctx, "SELECT pg_relation_filepath('t_large')").Scan(&path); err != nil {
		return "", fmt.Errorf("finding the table's files: %w", err)
	}
	return filepath.Join(t.server.DataDir, filepath.FromSlash(path)), nil
}

// filesSize adds the segments of 1 GB up. It asks the file system only, takes
// no lock, and so disturbs nobody.
func filesSize(first string) (int64, error) {
	var sum int64
	for n := 0; ; n++ {
		path := first
		if n > 0 {
			path = fmt.Sprintf("%s.%d", first, n)
		}
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) && n > 0 {
			return sum, nil
		}
		if err != nil {
			return 0, fmt.Errorf("reading the size of the table's files: %w", err)
		}
		sum += info.Size()
	}
}

// note keeps a size that differs from the last one, with the last one just
// before it, so that a line between them is a step.
func (t *trial) note(after time.Duration, bytes int64) {
	if n := len(t.files); n > 0 {
		if t.files[n-1].bytes == bytes {
			return
		}
		t.files = append(t.files, fileSize{after, t.files[n-1].bytes})
	}
	t.files = append(t.files, fileSize{after, bytes})
}
