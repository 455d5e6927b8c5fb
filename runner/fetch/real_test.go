package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"deletecost/fixtures"
)

// To compute the pins anew, after changing versions and packages in fixtures/pins.json:
//
//	go test ./runner/fetch -run TestPins -update
//
// It asks every source of every pin of every platform, wants them to agree, and rewrites the file. A pin of another platform that the Maven repository does not
// serve rests on npm alone.
var update = flag.Bool("update", false, "rewrite fixtures/pins.json from what the sources hold")

// TestPins asks the real sources, without a cache: of the newest 17 of this platform, or of all pins with -update.
func TestPins(t *testing.T) {
	set, err := fixtures.Pins()
	if err != nil {
		t.Fatal(err)
	}
	for i, pin := range set.PostgreSQL {
		if !*update && (pin.Platform != platform() || pin.Major() != "17") {
			continue
		}
		t.Run(pin.Version+" "+pin.Platform, func(t *testing.T) { set.PostgreSQL[i] = observe(t, pin) })
	}
	for i, pin := range set.ECharts {
		t.Run("echarts", func(t *testing.T) { set.ECharts[i] = observeScript(t, pin) })
	}
	if *update && !t.Failed() {
		writePins(t, set)
	}
}

// observe returns the pin as the sources have it, and fails when that is not the pin given, unless it is to be updated.
func observe(t *testing.T, pin fixtures.Pin) fixtures.Pin {
	open := pin
	if *update {
		open.Files, open.Bytes, open.Links = 100_000, 1<<30, nil
	}
	e := newEntry(t.TempDir(), "postgres", pin.Version, open, nil, nil)
	seen := map[string]fixtures.Pin{}
	for _, s := range e.realSources() {
		work, tree := t.TempDir(), t.TempDir()
		if err := s.fill(context.Background(), work, tree); errors.Is(err, errNotServed) {
			t.Logf("%s: %v", s.coordinates, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		c, err := readContent(tree)
		if err != nil || len(c.links) > 0 {
			t.Fatalf("%s: links %v, %v", s.name, c.links, err)
		}
		got := pin
		got.Digest, got.Files, got.Bytes = c.digest(), len(c.files), c.bytes
		got.Links = linksOf(t, s.name, work)
		seen[s.name] = got
		t.Logf("%s: %d files, %d bytes, digest %s", s.coordinates, got.Files, got.Bytes, got.Digest)
		if !*update && !samePin(got, pin) {
			t.Errorf("%s holds %+v, want %+v", s.coordinates, got, pin)
		}
	}
	maven, served := seen["maven"]
	if served && !samePin(maven, seen["npm"]) {
		t.Errorf("maven has %+v and npm %+v", maven, seen["npm"])
	}
	return seen["npm"]
}

func samePin(a, b fixtures.Pin) bool {
	return a.Digest == b.Digest && a.Files == b.Files && a.Bytes == b.Bytes && slices.Equal(a.Links, b.Links)
}

// observeScript takes the library from npm, since the webjar is not in every mirror.
func observeScript(t *testing.T, pin fixtures.Pin) fixtures.Pin {
	open := pin
	if *update {
		open.Bytes = downloadLimit
	}
	e := newEntry(t.TempDir(), "echarts", pin.Version, open, nil, nil)
	tree := t.TempDir()
	if err := e.fileFromNpm(context.Background(), pin.Sources["npm"], t.TempDir(), tree); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(tree, filepath.Base(pin.File)))
	if err != nil {
		t.Fatal(err)
	}
	got := pin
	got.Digest, got.Bytes = digest(data), int64(len(data))
	if !*update && !samePin(got, pin) {
		t.Errorf("%s holds %+v, want %+v", pin.Sources["npm"], got, pin)
	}
	return got
}

func writePins(t *testing.T, set fixtures.PinSet) {
	text, err := json.MarshalIndent(set, "", "\t")
	if err == nil {
		err = os.WriteFile("../../fixtures/pins.json", append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRealPostgres fetches into a new cache as the tool does, finds it there again, and asks the program for its version.
func TestRealPostgres(t *testing.T) {
	opts := Options{Cache: t.TempDir()}
	for _, from := range []string{"maven", "cache"} {
		b, err := Postgres(context.Background(), opts, "17")
		if err != nil || b.Source != from || b.Version != "17.10" || !b.Pinned {
			t.Fatalf("%+v, %v, want 17.10 from %s", b, err, from)
		}
		own, err := Postgres(context.Background(), Options{PGBin: b.Dir}, "")
		if err != nil || own.Version != "17.10" || own.Pinned {
			t.Errorf("it says %+v, %v", own, err)
		}
	}
}
