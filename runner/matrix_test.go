package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMatrixIsReadBack(t *testing.T) {
	dir := t.TempDir()
	m := Matrix{Schema: SchemaVersion, Program: "deletecost test", Command: []string{"--runs", "4"}, Folders: []string{"a", "b", "c", "d"}}
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Record{
		"b": {Experiments: []Outline{{Experiment: "e", Error: "it failed"}}}, // to its end all the same
		"a": {},
		"c": {Experiments: []Outline{{Experiment: "e", Error: killedText}}},
	} {
		r.Schema, r.Program = SchemaVersion, "deletecost test"
		f := &Folder{Dir: filepath.Join(dir, name), Record: r}
		if err := errors.Join(os.Mkdir(f.Dir, 0o755), os.Mkdir(filepath.Join(f.Dir, "e"), 0o755), f.save()); err != nil {
			t.Fatal(err)
		}
	}
	again, err := OpenMatrix(dir)
	if err != nil || !slices.Equal(again.Folders, m.Folders) || !slices.Equal(again.Command, m.Command) {
		t.Fatalf("%+v, %v", again, err)
	}
	members, unfinished, err := again.Begun(dir)
	if err != nil || len(members) != 2 || members[0].Name != "a" || members[1].Name != "b" || !slices.Equal(unfinished, []string{"c"}) {
		t.Errorf("%+v, unfinished %q, %v; want a, b and c unfinished", members, unfinished, err)
	}
}

func TestMatrixThatIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                   "matrix.json is damaged",
		`{"schema": 1, "program": "other 1"}`: "matrix.json is not one of deletecost",
		`{"schema": 99, "program": "deletecost 9"}`:                              "matrix.json has schema 99",
		`{"schema": 1, "program": "deletecost 1", "folders": ["../../etc"]}`:     `"../../etc" is not the name of a folder in it`,
		`{"schema": 1, "program": "deletecost 1", "folders": ["a/b"]}`:           `"a/b" is not the name of a folder in it`,
		`{"schema": 1, "program": "deletecost 1", "folders": ["."]}`:             `"." is not the name of a folder in it`,
		`{"schema": 1, "program": "deletecost 1", "folders": ["17.10-1", "/x"]}`: `"/x" is not the name of a folder in it`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, MatrixFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := OpenMatrix(dir)
		var folder *FolderError
		if !errors.As(err, &folder) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

func TestPublishedNumber(t *testing.T) {
	for _, c := range []struct {
		published, unit string
		part, parts     int
		base            string
		want            float64
		ok              bool
	}{
		{"26.7", "x", 0, 1, "x", 26.7, true},
		{"300", "ms", 0, 1, "s", 0.3, true},
		{"5,046,272 / 11,517,952", "bytes", 1, 2, "bytes", 11517952, true},
		{"5034", "rows", 0, 2, "rows", 0, false}, // which of the two it is, nothing says
		{"1.1 to 1.7", "x", 0, 1, "x", 0, false},
		{"42.3", "MB", 0, 1, "bytes", 0, false},
		{"NaN", "x", 0, 1, "x", 0, false},
		{"see source", "ms", 0, 1, "s", 0, false},
	} {
		got, ok := (Claim{Published: c.published, Unit: c.unit}).PublishedNumber(c.part, c.parts, c.base)
		if got != c.want || ok != c.ok {
			t.Errorf("%q %s, part %d of %d in %s: %v, %v", c.published, c.unit, c.part, c.parts, c.base, got, ok)
		}
	}
}
