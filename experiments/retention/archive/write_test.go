package archive

import (
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStandardLibraryReadsTheParts has the sums and counts computed here, from
// the lines.
func TestStandardLibraryReadsTheParts(t *testing.T) {
	table, raw := &smallTables()[0], smallLines()[0][0]
	for level := 0; level <= 9; level++ { // 0 stands for the source's writer
		dir := t.TempDir()
		w := NewSourcePartWriter(nil, dir)
		if level > 0 {
			var err error
			if w, err = NewPartWriter(nil, dir, level); err != nil {
				t.Fatal(err)
			}
		}
		p, err := writePart(w, firstPart, table, raw)
		if err != nil {
			t.Fatal(err)
		}
		content := files(t, dir)[firstPart]
		want := Part{
			File: firstPart, Rows: 10, RawBytes: int64(len(raw)), RawSHA256: hexSum([]byte(raw)), Bytes: int64(len(content)), SHA256: hexSum(content),
			FirstKey: []string{"9007199254740990"}, LastKey: []string{"9007199254740999"},
		}
		if !slices.Equal(p.FirstKey, want.FirstKey) || !slices.Equal(p.LastKey, want.LastKey) {
			t.Errorf("keys %q and %q", p.FirstKey, p.LastKey)
		}
		p.FirstKey, p.LastKey, want.FirstKey, want.LastKey = nil, nil, nil, nil
		if p.File != want.File || p.Rows != want.Rows || p.RawBytes != want.RawBytes || p.RawSHA256 != want.RawSHA256 || p.Bytes != want.Bytes || p.SHA256 != want.SHA256 {
			t.Errorf("%+v\nwant %+v", p, want)
		}
		r := bytes.NewReader(content)
		z, err := stdgzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		if got, err := io.ReadAll(z); string(got) != raw || err != nil || r.Len() != 0 {
			t.Errorf("level %d: %d bytes of %d, %v, and %d after the member", level, len(got), len(raw), err, r.Len())
		}
	}
}

// TestChunksDoNotMatter has a writer that is used again.
func TestChunksDoNotMatter(t *testing.T) {
	table, raw, dir := &smallTables()[0], smallLines()[0][0], t.TempDir()
	w, err := NewPartWriter(nil, dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	each, err := writePart(w, firstPart, table, raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(secondPart, table); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	whole, err := w.Finish()
	if err != nil || whole.RawSHA256 != each.RawSHA256 || whole.Rows != 10 || whole.RawBytes != int64(len(raw)) || whole.Rows != each.Rows || whole.LastKey[0] != each.LastKey[0] {
		t.Errorf("%+v, %v\nwant %+v", whole, err, each)
	}
}

func TestPartsThatAreRefused(t *testing.T) {
	table := &smallTables()[0]
	for _, c := range []struct{ lines, want string }{
		{"", `finishing part "p": it has no rows`},
		{`{"id":1,"body":"","raw":null}`, `writing part "p": its last line has no newline`},
		{"{}\n", `writing part "p": its first line does not have column "id" where it belongs`},
		{`{"id":null,"body":"","raw":null}` + "\n", `writing part "p": its first line has null in key column "id"`},
		{`{"id":1,"body":"","raw":null}` + "\n" + `{"id":2,"body":"","raw":{}}` + "\n", `finishing part "p": its last line has a value of column "raw" that is not a string`},
	} {
		dir := t.TempDir()
		w, err := NewPartWriter(nil, dir, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin("p", table); err != nil {
			t.Fatal(err)
		}
		_, err = w.Write([]byte(c.lines))
		_, finishing := w.Finish()
		if err == nil {
			err = finishing
		}
		if err == nil || err.Error() != c.want || finishing == nil {
			t.Errorf("%q: %v, then %v\nwant %s", c.lines, err, finishing, c.want)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%q: %v is left", c.lines, left)
		}
	}
}

func TestPartWriterOutOfOrder(t *testing.T) {
	table := &smallTables()[0]
	for _, level := range []int{-3, 0, 10} {
		if _, err := NewPartWriter(nil, t.TempDir(), level); err == nil || !strings.HasSuffix(err.Error(), ": choose 1 (fast) to 9 (small)") {
			t.Errorf("level %d: %v", level, err)
		}
	}
	w, err := NewPartWriter(nil, t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("{}\n")); err == nil {
		t.Error("lines were written before a part was begun")
	}
	if _, err := w.Finish(); err == nil {
		t.Error("a part was finished before it was begun")
	}
	if err := errors.Join(w.Abort(), w.Begin("p", table)); err != nil {
		t.Error(err)
	}
	if err := w.Begin("q", table); err == nil {
		t.Error("a part was begun within another")
	}
	if err := errors.Join(w.Abort(), w.Begin("q", table), w.Abort()); err != nil {
		t.Error(err)
	}
	if w, err = NewPartWriter(nil, filepath.Join(t.TempDir(), "no"), 1); err != nil {
		t.Fatal(err)
	}
	if err := w.Begin("p", table); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
