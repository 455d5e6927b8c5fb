package fetch

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestUserWithoutACache(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("other variables count here")
	}
	for _, c := range []struct{ xdg, home, want string }{
		{"", "", "neither XDG_CACHE_HOME nor HOME is defined"},
		{"here", "/home/u", `XDG_CACHE_HOME is "here", which is not an absolute path`},
		{"", "here", `this user's is "here/.cache", which is not an absolute path`},
	} {
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		_, err := userCache()
		want := "finding a folder for downloads: " + c.want + "; name one with --cache DIR"
		if _, ok := errors.AsType[*CacheError](err); !ok || err.Error() != want {
			t.Errorf("%q and %q: %v\nwant %s", c.xdg, c.home, err, want)
		}
	}
	t.Setenv("HOME", "/home/u")
	if dir, err := userCache(); err != nil || dir != filepath.FromSlash("/home/u/.cache/deletecost") {
		t.Errorf("%q, %v", dir, err)
	}
	t.Setenv("XDG_CACHE_HOME", "/x")
	if dir, err := userCache(); err != nil || !strings.HasPrefix(dir, "/x") {
		t.Errorf("%q, %v", dir, err)
	}
}
