package fetch

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestDiskFillsUpMeanwhile has more room than the pin asks for and less than the archive takes, whose content no compression makes smaller.
func TestDiskFillsUpMeanwhile(t *testing.T) {
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	members := append(slices.Clone(goodTree), member{name: "share/noise", body: string(noise)})
	opts := alone(t, serveJar(t, jarOf(t, members)).URL)
	opts.Cache = filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(opts.Cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", opts.Cache, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mounting: %v", err)
	}
	defer unix.Unmount(opts.Cache, unix.MNT_DETACH)
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	if bad, ok := err.(*CacheError); !ok || bad.Dir != opts.Cache || !strings.Contains(err.Error(), "; free space there") {
		t.Errorf("error %v, want a CacheError and its remedy", err)
	}
	if names := kept(t, opts.Cache); len(names) > 0 {
		t.Errorf("the cache holds %v", names)
	}
}
