package archive

import (
	"deletecost/runner/diskspace"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mounted is a file system of its own, of so many KiB, for a test.
func mounted(t *testing.T, kib string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+kib+"k"); err != nil {
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir string, flags uintptr, size string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT|flags, size); err != nil {
		t.Fatal(err)
	}
}

// blobs makes a month of so many rows of 1 kB of random bytes: 1 MB for 1,000,
// of which 1.1 MB are left as hexadecimal after compression.
func (b *bed) blobs(rows int) {
	b.t.Helper()
	b.exec("DROP TABLE IF EXISTS a, a_old")
	b.exec("CREATE TABLE a (id int, at date NOT NULL, body bytea, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)")
	b.exec("CREATE TABLE a_old PARTITION OF a FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')")
	b.exec(`INSERT INTO a SELECT g, '2001-03-05', (SELECT string_agg(sha256((g || ' ' || n)::bytea), '') FROM generate_series(1, 32) n)
		FROM generate_series(1, $1::int) g`, rows)
}

// A disk that cannot take the archive by its estimate is refused, and so is one
// that takes nothing at all, both before anything is detached.
func TestFullDiskIsRefused(t *testing.T) {
	b := newBed(t, "17")
	b.blobs(8000) // half of its 9 MB is more than the disk
	cfg := b.config("a")
	cfg.Dir = filepath.Join(mounted(t, "2048"), "archive")
	wantRefused(b, cfg, "a_old", ErrPreflight, "choose a folder on another disk")

	b.blobs(10) // the estimate is 8 kB, and there is not even room for the marker
	disk := mounted(t, "64")
	if err := os.WriteFile(filepath.Join(disk, "filling"), make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Dir = filepath.Join(disk, "archive")
	wantRefused(b, cfg, "a_old", ErrPreflight, "choose a folder")
}

// The disk fills while the parts, or the manifest, are written. The error names
// the file, how much may be needed and what to do, on one line; the tables are
// there; the room is given back; and with more of it the next run goes on.
func TestDiskFillsInTheMidst(t *testing.T) {
	b := newBed(t, "17")
	for _, method := range []string{MethodCopy, MethodSource} {
		b.blobs(3000) // 3.6 MB: half is estimated, 3.5 MB are needed
		if method == MethodSource {
			b.exec("ALTER TABLE a DROP COLUMN id; ALTER TABLE a ADD id uuid DEFAULT gen_random_uuid()")
		}
		disk := mounted(t, "2560")
		cfg := b.config("a")
		cfg.Dir, cfg.Method, cfg.Restore = filepath.Join(disk, "archive"), method, false
		_, err := Run(t.Context(), cfg)
		if err == nil {
			t.Fatalf("%s: the archive did not fill the disk", method)
		}
		for _, says := range []string{"a_old-0000", "no space left on device", "may need up to ", "no table was dropped", "make room", "run again"} {
			if !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want one line with %q", method, err, says)
			}
		}
		if n := value[int](b, "SELECT count(*) FROM a_old"); n != 3000 {
			t.Errorf("%s: %d rows", method, n)
		}
		if left := files(t, cfg.Dir); len(left) != 1 {
			t.Errorf("%s: %d files are left, want the marker", method, len(left))
		}
		remount(t, disk, 0, "size=16384k")
		if out := b.mustRun(cfg); out.Rows != 3000 || !out.Resumed {
			t.Errorf("%s: %d rows, resumed %v", method, out.Rows, out.Resumed)
		}
	}
}

// A complete archive needs no more room, however full the disk is.
func TestResumedOnAFullDisk(t *testing.T) {
	b := newBed(t, "17")
	b.months(5000, "a")
	disk := mounted(t, "256")
	cfg := b.config("a")
	cfg.Dir = filepath.Join(disk, "archive")
	cfg.Fail = at("before exclusive", func() { b.endControl() })
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	free, err := diskspace.Free(disk)
	if err == nil {
		err = os.WriteFile(filepath.Join(disk, "filling"), make([]byte, free-16<<10), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.mustRun(b.sameDir(cfg))
}

// A folder on a disk that is read-only is refused before anything is detached:
// one to be made, and one that an earlier run has begun.
func TestReadOnlyDiskIsRefused(t *testing.T) {
	b := newBed(t, "17")
	b.months(50, "a")
	disk := mounted(t, "1024")
	cfg := b.config("a")
	cfg.Dir = filepath.Join(disk, "archive")
	remount(t, disk, unix.MS_RDONLY, "")
	wantRefused(b, cfg, "a_old", ErrPreflight, "read-only file system")

	remount(t, disk, 0, "")
	cfg.Fail = func(point string) error {
		if strings.HasSuffix(point, " before detach") {
			return errKilled
		}
		return nil
	}
	wantRefused(b, cfg, "a_old", errKilled, "before detach")
	cfg.Fail = nil
	remount(t, disk, unix.MS_RDONLY, "")
	wantRefused(b, cfg, "a_old", ErrPreflight, "choose a folder that can be written")
	remount(t, disk, 0, "")
	b.mustRun(cfg)
}
