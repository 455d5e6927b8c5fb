package fetch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"deletecost/fixtures"
)

// asNobody runs f without root's right to write everywhere, if the test has it. The thread ends with f, so nothing else meets its changed identity.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked
		if os.Geteuid() == 0 {
			unix.Setfsuid(65534)
			unix.Setfsgid(65534)
		}
		f()
	}()
	<-done
}

func TestReadOnlyCache(t *testing.T) {
	base, err := os.MkdirTemp("", "readonly") // t.TempDir is closed to nobody
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	opts.Cache = filepath.Join(base, "cache")
	dir := install(t, opts)
	for _, d := range []string{opts.Cache, base} {
		defer os.Chmod(d, 0o755)
		os.Chmod(d, 0o555)
	}
	asNobody(func() {
		b, err := pinnedPostgres(context.Background(), opts, goodPin)
		if err != nil || b.Source != "cache" {
			t.Errorf("warm and read-only: source %q, %v", b.Source, err)
		}
		other := goodPin
		other.Version, other.Digest = "16.14", strings.Repeat("0", 64)
		wantCacheError(t, opts, other, opts.Cache)
		elsewhere := opts
		elsewhere.Cache = filepath.Join(base, "new", "cache")
		wantCacheError(t, elsewhere, goodPin, elsewhere.Cache)
	})
	if err := damages["removed"].spoil(dir); err != nil {
		t.Fatal(err)
	}
	asNobody(func() { wantCacheError(t, opts, goodPin, filepath.Join(dir, "share/postgres.bki")) })
}

// TestUmask wants an installation that another account can read, whatever this one's umask is.
func TestUmask(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	install(t, opts)
	err := filepath.WalkDir(opts.Cache, func(name string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) == ".lock" || d.Type() == os.ModeSymlink {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o444 != 0o444 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func wantCacheError(t *testing.T, opts Options, pin fixtures.Pin, names string) {
	t.Helper()
	_, err := pinnedPostgres(context.Background(), opts, pin)
	var bad *CacheError
	if !errors.As(err, &bad) || bad.Dir != opts.Cache || !strings.Contains(err.Error(), names) || !strings.Contains(err.Error(), "--cache DIR") {
		t.Errorf("error %v, want a CacheError that names %q", err, names)
	}
}
