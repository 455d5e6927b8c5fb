package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// Somebody changes one value, in a row that is neither the first nor the last,
// and makes the file's sums, the manifest and its sum again: the digest, which
// was taken from what the server sent, tells.
func TestDigestIsRecomputedFromTheLines(t *testing.T) {
	dir, m := small(t)
	p := &m.Tables[0].Parts[0]
	raw := strings.Replace(smallLines()[0][0], "row 25 ", "row 26 ", 1)
	restate(t, dir, m, p, member(t, raw), raw)
	faults := faultsOf(t, dir)
	wantFault(t, faults, `manifest.json: table "m_2001_03": the rows of its parts have digest `)
	if len(faults) != 1 {
		t.Errorf("%q, want one fault", faults)
	}
	restate(t, dir, m, p, member(t, smallLines()[0][0]), smallLines()[0][0])
	if faults := faultsOf(t, dir); len(faults) > 0 {
		t.Errorf("as it was: %q", faults)
	}
}

// What no column's text can be is told by its line, whatever the digest.
func TestLinesThatAreNoRows(t *testing.T) {
	for _, c := range []struct{ value, says string }{
		{`"\u0000"`, `line 2 has a value of column "body" that PostgreSQL has no such text of`},
		{`"\ud800"`, `line 2 has a value of column "body" that PostgreSQL has no such text of`},
		{`[1]`, `line 2 has a value of column "body" that PostgreSQL has no such text of`},
	} {
		dir, m := small(t)
		raw := strings.Replace(smallLines()[0][0], `"row 1 \"\\\u0007é"`, c.value, 1)
		restate(t, dir, m, &m.Tables[0].Parts[0], member(t, raw), raw)
		wantFault(t, faultsOf(t, dir), c.says)
	}
}

// A complete archive whose rows are not the table's any more, though all its
// sums agree, is not taken over, also when nothing is restored.
func TestForgedArchiveIsNotTakenOver(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	cfg := b.config("a")
	cfg.Restore = false
	cfg.Fail = at("before exclusive", b.endControl)
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	m, err := ReadManifest(cfg.Dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &m.Tables[0].Parts[1]
	raw := unpacked(t, files(t, cfg.Dir)[p.File])
	raw = strings.Replace(raw, `"row 120"`, `"row 121"`, 1)
	restate(t, cfg.Dir, m, p, member(t, raw), raw)
	out := b.mustRun(b.sameDir(cfg))
	if !strings.Contains(out.Discarded, "digest") {
		t.Errorf("discarded because %q", out.Discarded)
	}
	wantOnce(b, cfg.Dir, 150)
}

// unpacked is what a gzip file holds.
func unpacked(t *testing.T, packed []byte) string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
