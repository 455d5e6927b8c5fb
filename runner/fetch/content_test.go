package fetch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestContentDigest compares with a digest that sha256sum made of a listing written by hand.
func TestContentDigest(t *testing.T) {
	dir := t.TempDir()
	write := func(name, body string, mode os.FileMode) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("share/postgres.bki", "catalogue", 0o755) // the permission does not count, the place does
	write("lib/libpq.so.5.17", "library", 0o755)
	write("bin/postgres", "#!/bin/sh\ntouch \"$0.ran\"\n", 0o644)
	write("bin/initdb", "#!/bin/sh\ntouch \"$0.ran\"\n", 0o755)
	write("README", "not below bin, lib or share", 0o644)
	same := func(want bool, after string) {
		t.Helper()
		got, err := ContentDigest(dir)
		if err != nil || (got == goodPin.Digest) != want {
			t.Errorf("after %s: digest %s, %v", after, got, err)
		}
	}
	same(true, "writing")
	if err := os.Symlink("libpq.so.5.17", filepath.Join(dir, "lib/libpq.so.5")); err != nil {
		t.Fatal(err)
	}
	same(true, "linking")
	write("bin/sub/tool", "", 0o755)
	same(false, "adding an empty file")
}

func TestContentDigestFails(t *testing.T) {
	if _, err := ContentDigest(filepath.Join(t.TempDir(), "nothing")); err == nil {
		t.Error("a folder that is not there has a digest")
	}
}

func TestProgress(t *testing.T) {
	var got []Progress
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	opts.Progress = func(p Progress) { got = append(got, p) }
	install(t, opts)
	if len(got) < 2 || got[0].Message != "downloading group:artifact:17.10.0" || got[1].Message != "downloading" {
		t.Fatalf("progress %+v", got)
	}
	for _, p := range got {
		if !strings.HasPrefix(p.File, "PostgreSQL 17.10 for ") || p.Source != "maven" || p.Warning {
			t.Errorf("progress %+v", p)
		}
	}
}

func TestProgressIsNotTooOften(t *testing.T) {
	n := 0
	r := newReporter("", func(Progress) { n++ })
	start := time.Now()
	for range 100_000 {
		r.bytes("", "", 0, 0)
	}
	if most := 1 + int(time.Since(start)/progressEvery); n < 1 || n > most {
		t.Errorf("%d reports, want 1 to %d", n, most)
	}
}
