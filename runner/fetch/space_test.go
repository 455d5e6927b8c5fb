package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"deletecost/fixtures"
)

func TestRoomIsChecked(t *testing.T) {
	tree := fixtures.Pin{Version: "17.10", Bytes: 50 << 20}
	script := fixtures.Pin{Version: "6.1.0", File: "dist/echarts.min.js", Bytes: 1 << 20}
	for _, c := range []struct {
		pin  fixtures.Pin
		free int64
		want string
	}{
		{tree, 150 << 20, ""},
		{tree, 150<<20 - 1, `using cache folder "/c": fetching it takes up to 150 MiB there, and 149 MiB are free; free space there, or name another folder with --cache DIR`},
		{script, 32 << 20, ""},
		{script, 0, `using cache folder "/c": fetching it takes up to 32 MiB there, and 0 MiB are free; free space there, or name another folder with --cache DIR`},
		{tree, -1, ""}, // the system does not tell
	} {
		e := newEntry("/c", "kind", "it", c.pin, nil, nil)
		err := e.checkRoom(func(dir string) (int64, error) {
			if dir != "/c" || c.free < 0 {
				return 0, errors.New("not told")
			}
			return c.free, nil
		})
		if err == nil && c.want == "" {
			continue
		}
		if _, ok := errors.AsType[*CacheError](err); !ok || err.Error() != c.want {
			t.Errorf("%d bytes free: %v\nwant %s", c.free, err, c.want)
		}
	}
}

func TestFullIsRecognised(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("writing: %w", syscall.ENOSPC), true},
		{syscall.EDQUOT, true},
		{errors.New("unable to extract: write temp_1: no space left on device"), true},
		{errors.New("code ENOSPC, syscall write"), true},
		{&roomError{"it", 2, 1}, true},
		{syscall.EACCES, false},
		{errors.New("connection refused"), false},
	} {
		if got := isFull(c.err); got != c.want {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}

// TestNpmOnAFullDisk has an npm for which every place is full.
func TestNpmOnAFullDisk(t *testing.T) {
	opts := withNpm(t, nil, "echo 'npm error code ENOSPC' >&2; exit 1")
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	if bad, ok := err.(*CacheError); !ok || bad.Dir != opts.Cache || !strings.HasSuffix(err.Error(), "; free space there, or name another folder with --cache DIR") {
		t.Errorf("error %v, want a CacheError and its remedy", err)
	}
	nothingRemains(t, opts.Cache)
}
