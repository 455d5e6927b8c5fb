package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	for name, want := range map[string]string{
		"file":         `--out "file" is not a folder: name a new or an empty one`,
		"full":         `--out "full" exists and is not empty (1 entries): name a new folder or empty it`,
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
	if got := strings.Join(entries(t, "."), " "); got != "file full" {
		t.Errorf("left behind: %s", got)
	}
}

func TestFolderIsAbandoned(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := newFolder("a/b/c", someTime)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f.serverLog())
	f.abandon()
	if got := entries(t, "."); len(got) != 0 {
		t.Errorf("left behind: %v", got)
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
		f.abandon()
		if _, err := os.Stat(c.stays); err != nil {
			t.Errorf("%s is gone: %v", c.stays, err)
		}
	}
}
