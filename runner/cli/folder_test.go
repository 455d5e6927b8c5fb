package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var someTime = time.Date(2026, 11, 30, 16, 21, 38, 0, time.FixedZone("CET", 3600))

func write(t *testing.T, name string) {
	t.Helper()
	if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

func TestFolderIsNamedByTheTime(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"20261130T152138Z", "20261130T152138Z-2", "20261130T152138Z-3"} {
		f, err := newFolder("", someTime)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(f.path) != want || !filepath.IsAbs(f.path) || filepath.Base(filepath.Dir(f.path)) != "results" {
			t.Errorf("path %q, want results/%s", f.path, want)
		}
	}
}

func TestFolderThatIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file")
	if err := os.Mkdir("full", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "full/x")
	used, err := newFolder("used", someTime)
	if err != nil {
		t.Fatal(err)
	}
	defer used.log.Close()
	for name, want := range map[string]string{
		"file":         `--out "file" is not a folder: name a new or an empty one`,
		"full":         `--out "full" exists and is not empty (1 entry): name a new folder or empty it`,
		"used":         `--out "used" is used by another run: name another folder, or empty it when that run is dead`,
		"file/below":   `--out "file/below" cannot be written: not a directory: name another folder`,
		"file/a/b":     `--out "file/a/b" cannot be written: not a directory: name another folder`,
		"new/\x00/out": `--out "new/\x00/out" cannot be written: invalid argument: name another folder`,
	} {
		_, err := newFolder(name, someTime)
		var usage *usageError
		if !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", name, err, want)
		}
	}
	if got := strings.Join(entries(t, "."), " "); got != "file full used" {
		t.Errorf("left behind: %s", got)
	}
}

func TestFolderIsAbandoned(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := newFolder("a/b/c", someTime)
	if err != nil {
		t.Fatal(err)
	}
	f.close()
	if got := entries(t, "."); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

// Of runs that are told the same folder at the same time, also one that is
// there already, one gets it, and the others take nothing of it away.
func TestFolderBelongsToOneRun(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("there", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"there", "new/out"} {
		var runs sync.WaitGroup
		won := make(chan *folder, 8)
		for range cap(won) {
			runs.Go(func() {
				f, err := newFolder(name, someTime)
				var usage *usageError
				switch {
				case err == nil:
					won <- f
				case !errors.As(err, &usage):
					t.Errorf("%s: %v, want a usage error", name, err)
				}
			})
		}
		runs.Wait()
		if len(won) != 1 {
			t.Fatalf("%s: %d runs have it, want 1", name, len(won))
		}
		f := <-won
		if got := entries(t, name); len(got) != 1 || got[0] != "server.log" {
			t.Errorf("%s holds %v, want server.log", name, got)
		}
		f.close()
		if _, err := os.Stat(filepath.Join(name, "server.log")); err == nil {
			t.Errorf("%s: nothing was measured, and server.log stays", name)
		}
	}
}

func TestFolderKeepsWhatIsNotItsOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("mine", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ out, write, stays string }{
		{"mine", "", "mine"},                // was there before
		{"other/out", "other/x", "other/x"}, // a neighbour came
		{"kept", "kept/run.json", "kept/run.json"},
	} {
		f, err := newFolder(c.out, someTime)
		if err != nil {
			t.Fatal(err)
		}
		if c.write != "" {
			write(t, c.write)
		}
		f.close()
		if _, err := os.Stat(c.stays); err != nil {
			t.Errorf("%s is gone: %v", c.stays, err)
		}
	}
}
