package fetch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deletecost/fixtures"
)

// goodBundle packs the two small pins into a file and returns its bytes. Everything else that a pin can come from is gone afterwards.
func goodBundle(t *testing.T) []byte {
	t.Helper()
	opts := withNpm(t, tgzOf(t, []member{{name: "package/dist/echarts.min.js", body: "hello"}}), "")
	if _, err := pinnedECharts(context.Background(), opts, scriptPin); err != nil {
		t.Fatal(err)
	}
	opts.Mirror = serveJar(t, jarOf(t, goodTree)).URL
	name := filepath.Join(t.TempDir(), "bundle")
	if err := opts.bundle(context.Background(), name, []fixtures.Pin{goodPin, scriptPin}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// opened writes bytes to a file and opens it as a bundle.
func opened(t *testing.T, data []byte) (*Bundle, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "bundle")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return reopened(t, name)
}

func reopened(t *testing.T, name string) (*Bundle, error) {
	b, err := OpenBundle(context.Background(), name)
	if err == nil {
		t.Cleanup(func() { b.Close() })
	}
	return b, err
}

func TestBundleIsEnough(t *testing.T) {
	b, err := opened(t, goodBundle(t))
	if err != nil {
		t.Fatal(err)
	}
	opts := alone(t, "http://127.0.0.1:1")
	opts.Bundle = b
	for _, from := range []string{"bundle", "cache"} {
		pg, err := pinnedPostgres(context.Background(), opts, goodPin)
		if err != nil || pg.Source != from || pg.Coordinates != goodPin.Sources["maven"] || verify(pg.Dir, goodPin) != nil {
			t.Errorf("%+v, %v, want it from %s", pg, err, from)
		}
		js, err := pinnedECharts(context.Background(), opts, scriptPin)
		if err != nil || js.Source != from || string(js.JS) != "hello" {
			t.Errorf("%+v, %v, want it from %s", js, err, from)
		}
	}
}

// TestBundleWithoutCache has a file where the cache would be.
func TestBundleWithoutCache(t *testing.T) {
	b, err := opened(t, goodBundle(t))
	if err != nil {
		t.Fatal(err)
	}
	opts := alone(t, "http://127.0.0.1:1")
	opts.Bundle = b
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if err := os.WriteFile(opts.Cache, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if b.Instead() != "" {
		t.Errorf("%s before it is needed", b.Instead())
	}
	pg, err := pinnedPostgres(context.Background(), opts, goodPin)
	if filepath.Dir(pg.Dir) != b.Instead() {
		t.Errorf("%s instead of the cache, want the folder of %s", b.Instead(), pg.Dir)
	}
	if err != nil || pg.Source != "bundle" || !strings.HasPrefix(pg.Dir, temp) || verify(pg.Dir, goodPin) != nil {
		t.Errorf("%+v, %v, want it below %s", pg, err, temp)
	}
	js, err := pinnedECharts(context.Background(), opts, scriptPin)
	if err != nil || string(js.JS) != "hello" || len(kept(t, temp)) != 1 {
		t.Errorf("%+v, %v, %v in the temporary folder, want one folder", js, err, kept(t, temp))
	}
	if err := b.Close(); err != nil || len(kept(t, temp)) != 0 {
		t.Errorf("%v, and %v is left", err, kept(t, temp))
	}
}

func TestBundleIsTheSameAgain(t *testing.T) {
	if a, b := goodBundle(t), goodBundle(t); !bytes.Equal(a, b) {
		t.Errorf("%d and %d bytes that differ", len(a), len(b))
	}
}

func TestBundleExists(t *testing.T) {
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	dir := t.TempDir()
	name := filepath.Join(dir, "bundle")
	if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := opts.bundle(context.Background(), name, []fixtures.Pin{goodPin}); !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v, want that it exists", err)
	}
	if data, _ := os.ReadFile(name); string(data) != "mine" || len(kept(t, dir)) != 1 {
		t.Errorf("%q, %v", data, kept(t, dir))
	}
}

func TestBundleFromAChangedCache(t *testing.T) {
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	pg, err := pinnedPostgres(context.Background(), opts, goodPin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pg.Bin, "initdb"), []byte("#!/bin/sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := packing{ctx: context.Background(), rep: newReporter("bundle", nil)}
	w := treeWriter{packing: &p, pin: goodPin, dir: pg.Dir}
	if err := w.write(&bytes.Buffer{}); !errors.Is(err, errChanged) {
		t.Errorf("error %v, want that it changed", err)
	}
}
