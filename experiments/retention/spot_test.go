package retention

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"deletecost/experiments/retention/archive"
)

// A part of three lines passes; one with a flipped bit, a byte too many, a line
// missing or no file at all does not.
func TestSpotCheckSeesDamage(t *testing.T) {
	raw := []byte("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write(raw)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sum := func(b []byte) string { h := sha256.Sum256(b); return hex.EncodeToString(h[:]) }
	good := archive.Part{File: "a.jsonl.gz", Rows: 3, SHA256: sum(zipped.Bytes()), RawSHA256: sum(raw)}
	flipped := bytes.Clone(zipped.Bytes())
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name    string
		part    archive.Part
		content []byte
		want    bool
	}{
		{"as written", good, zipped.Bytes(), true},
		{"a flipped bit", good, flipped, false},
		{"a byte too many", good, append(bytes.Clone(zipped.Bytes()), 0), false},
		{"cut", good, zipped.Bytes()[:zipped.Len()-9], false},
		{"another number of lines", archive.Part{File: good.File, Rows: 4, SHA256: good.SHA256, RawSHA256: good.RawSHA256}, zipped.Bytes(), false},
		{"no file", good, nil, false},
	} {
		dir := t.TempDir()
		if test.content != nil {
			if err := os.WriteFile(filepath.Join(dir, good.File), test.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := asManifest(dir, test.part)
		if err != nil || got != test.want {
			t.Errorf("%s: %v, %v; want %v", test.name, got, err, test.want)
		}
	}
}
