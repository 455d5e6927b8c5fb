package report

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
)

// use does with a folder all that the command does with one, and writes what it
// writes; its error is that of the first step.
func use(dir string, write bool) error {
	f, err := runner.Open(dir)
	var folder *runner.FolderError
	if err != nil && !errors.As(err, &folder) {
		panic("not a FolderError: " + err.Error())
	}
	if err != nil {
		return err
	}
	if _, err = Render(f, nil); err != nil {
		return err
	}
	if _, err = runner.JUnit(time.Time{}, nil, f); err != nil {
		return err
	}
	if _, err = runner.Check(f); err != nil {
		return err
	}
	if !write {
		return nil
	}
	if err := runner.Derive(f); err != nil {
		return err
	}
	_, err = Charts(f, stub)
	return err
}

// small is a folder of one experiment with a table, a figure, a plan and a claim.
const small = `{"schema": 1, "program": "deletecost test", "scale": "smoke", "seed": 1, "postgresql": {"version": "17.10"}, "experiments": [{"experiment": "e", "title": "E",
"question": "Q?", "knobs": {"n": 2}, "answer": [{"text": "{} of it", "refs": [{"table": "t", "row": 0, "value": "v", "low": "l", "high": "h"}]}],
"tables": [{"name": "t", "title": "T", "columns": [{"name": "k", "text": true}, {"name": "v", "unit": "s"}, {"name": "l", "unit": "s"}, {"name": "h", "unit": "s"}], "reasons": ["none"], "rows": 2}],
"figures": [{"name": "f", "title": "F", "how_to_read": "H", "xlog": true, "layers": [{"mark": "line", "table": "t", "x": "v", "y": "l", "by": "k", "low": "l", "high": "h"}]},
{"name": "g", "title": "G", "layers": [{"mark": "bar", "table": "t", "x": "k", "parts": ["v", "l"]}]}, {"name": "m", "title": "M", "layers": [{"mark": "heatmap", "table": "t", "x": "k", "y": "k", "value": "v"}]},
{"name": "o", "title": "O", "layers": [{"mark": "heap", "table": "t", "x": "v", "y": "l", "by": "k", "parts": ["l", "h"]}]}],
"plans": [{"name": "p", "title": "P", "sql": "SELECT 1"}],
"findings": [{"claim": {"id": "s1.x", "published": "2.5", "unit": "x", "tolerance": "within 1 2 or above 1"}, "at": [{"table": "t", "row": 0, "value": "v", "low": "l", "high": "h"}], "why": {"text": "so"}},
{"claim": {"id": "s1.y", "published": "9", "unit": "bytes", "tolerance": "shown"}, "why": {"text": "not"}}],
"servers": [{"name": "s", "version": "v", "settings": [{"name": "fsync", "value": "off", "changed": true}]}], "steps": [{"name": "a", "seconds": 1}], "seconds": 1}]}`

const smallRows = "k,v,l,h\na,1,0.5,2\nb,2,n/a,n/a\n"

func lay(t testing.TB, dir, record, rows string) {
	t.Helper()
	for name, text := range map[string]string{"run.json": record, "e/t.csv": rows, "e/p.txt": "Result\n"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSmallFolderIsSound(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, small, smallRows)
	if err := use(dir, true); err != nil {
		t.Fatal(err)
	}
}

// Whatever a stranger changes in one place of a folder, nothing panics.
func TestForeignFolderOneChange(t *testing.T) {
	var record any
	if err := json.Unmarshal([]byte(small), &record); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tried, used := 0, 0
	try := func(rows string) {
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		lay(t, dir, string(text), rows)
		tried++
		if use(dir, false) == nil {
			used++
		}
	}
	change(record, func() { try(smallRows) })
	if err := json.Unmarshal([]byte(small), &record); err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{"NaN", "INF", "-INF", "1e308", "-1e308", "1e-320", "-0", "0", "-1", "n/a", "99999999999999999999"} {
		for _, old := range []string{",1,", ",0.5,", ",2\nb"} {
			try(strings.Replace(smallRows, strings.Trim(old, ",\nb"), cell, 1))
		}
		try("k,v,l,h\na," + cell + "," + cell + "," + cell + "\nb," + cell + "," + cell + "," + cell + "\n")
	}
	if tried < 250 || used < 50 {
		t.Errorf("%d changes tried, %d folders used all the same", tried, used)
	}
}

// change puts strange values in the place of each value, one after another and
// two in each place, since a page takes milliseconds.
func change(at any, try func()) {
	strange, next := []any{nil, hostile, "{}", 1e9, -1}, 0
	var within func(at any)
	each := func(value any, set func(any)) {
		for range 2 {
			set(strange[next%len(strange)])
			next++
			try()
		}
		set(value)
		within(value)
	}
	within = func(at any) {
		switch at := at.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(at)) {
				each(at[name], func(v any) { at[name] = v })
			}
		case []any:
			for i, value := range at {
				each(value, func(v any) { at[i] = v })
			}
		}
	}
	within(at)
}

// FuzzForeignFolder opens and uses folders of strangers:
// go test ./report -run none -fuzz ForeignFolder -fuzztime 30s -fuzzminimizetime 10x
// (making an input small takes all of the time otherwise).
func FuzzForeignFolder(f *testing.F) {
	f.Add(small, smallRows)
	f.Add(small[:len(small)/2], smallRows)
	f.Add(strings.ReplaceAll(small, `"row": 0`, `"row": -1`), smallRows)
	f.Add(strings.ReplaceAll(small, "{} of it", "{}{}"), "k,v,l,h\n\"a\nb\",NaN,INF,-INF\n<b>,1e308,-1e308,0\n")
	f.Add(strings.ReplaceAll(small, `"rows": 2`, `"rows": 0`), "k,v,l,h\n")
	f.Add(strings.ReplaceAll(small, `"name": "f"`, `"name": "../../f"`), smallRows)
	f.Fuzz(func(t *testing.T, record, rows string) {
		dir := t.TempDir()
		lay(t, dir, record, rows)
		if use(dir, true) != nil {
			return
		}
		for _, pattern := range []string{"*", "*/*"} {
			files, _ := filepath.Glob(filepath.Join(dir, "..", pattern))
			for _, name := range files {
				if !strings.HasPrefix(name, filepath.Clean(dir)) {
					t.Errorf("%s was made", name)
				}
			}
		}
		if text, err := os.ReadFile(filepath.Join(dir, "summary.md")); err != nil || len(text) > 65_536 {
			t.Errorf("summary.md of %d bytes, %v", len(text), err)
		}
	})
}
