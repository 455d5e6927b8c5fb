package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// damaged is a copy of a sound folder, in which a test then breaks something.
func damaged(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "report", "testdata", "schema-1"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// swap replaces the first old in a file, which must hold it; an empty old stands for all.
func swap(file, old, new string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		name := filepath.Join(dir, file)
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s does not hold %q: %v", file, old, err)
		}
		if old == "" {
			old = string(text)
		}
		if err := os.WriteFile(name, bytes.Replace(text, []byte(old), []byte(new), 1), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// twice repeats the first element of a list of the experiment, or the experiment.
func twice(list string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		name := filepath.Join(dir, "run.json")
		text, err := os.ReadFile(name)
		var record map[string]any
		if err := errors.Join(err, json.Unmarshal(text, &record)); err != nil {
			t.Fatal(err)
		}
		all := record["experiments"].([]any)
		if list == "" {
			record["experiments"] = append(all, all[0])
		} else {
			o := all[0].(map[string]any)
			some := o[list].([]any)
			o[list] = append(some, some[0])
		}
		if text, err = json.Marshal(record); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func truncate(file string, size int64) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		if err := os.Truncate(filepath.Join(dir, file), size); err != nil {
			t.Fatal(err)
		}
	}
}

// instead puts something else in the place of a file.
func instead(file string, with func(name string) error) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		name := filepath.Join(dir, file)
		if err := errors.Join(os.Remove(name), with(name)); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip(err) // links need a privilege there
			}
			t.Fatal(err)
		}
	}
}

// The header of index_sizes.csv is "index,bytes"; it has three rows. Lines of
// run.json are those of the file as it is kept.
func TestOpenNamesFileAndLine(t *testing.T) {
	const sizes = "softdelete/index_sizes.csv"
	link := func(to string) func(string) error { return func(name string) error { return os.Symlink(to, name) } }
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		want   string
	}{
		"no record":             {instead("run.json", func(string) error { return nil }), `reading "run.json": no such file or directory`},
		"an empty record":       {truncate("run.json", 0), "run.json is damaged: line 1: unexpected end of JSON input"},
		"a cut record":          {truncate("run.json", 40), "run.json is damaged: line 3: unexpected end of JSON input"},
		"more than a record":    {swap("run.json", "\n}\n", "\n}\n{}"), "run.json is damaged: line "},
		"no JSON":               {swap("run.json", `"scale": "smoke",`, `"scale": smoke,`), "run.json is damaged: line 15: invalid character 's'"},
		"a wrong type":          {swap("run.json", `"seed": 1234`, `"seed": "1234"`), `run.json is damaged: line 16: "seed" is a string, not a uint64`},
		"a wrong type within":   {swap("run.json", `"row": 4`, `"row": 4.5`), `is a number 4.5, not a int`},
		"a list for an object":  {swap("run.json", "", "[]"), "run.json is damaged: json: cannot unmarshal array"},
		"a newer schema":        {swap("run.json", `"schema": 1`, `"schema": 2`), "run.json has schema 2 and this program reads up to 1: use the release that wrote it"},
		"no schema":             {swap("run.json", `"schema": 1,`, ""), "run.json is not one of deletecost"},
		"an enormous record":    {truncate("run.json", maxRecord+1), `reading "run.json": it has 67,108,865 bytes, more than the 67,108,864 that are read`},
		"an enormous plan":      {truncate("softdelete/explain_active_rows_soft.txt", maxPlan+1), "it has 4,194,305 bytes, more than"},
		"no plan":               {instead("softdelete/explain_active_rows_soft.txt", func(string) error { return nil }), "explain_active_rows_soft.txt\": no such file"},
		"no CSV":                {instead(sizes, func(string) error { return nil }), `index_sizes.csv": no such file or directory`},
		"a folder":              {instead(sizes, func(name string) error { return os.Mkdir(name, 0o755) }), `index_sizes.csv": it is not a file`},
		"a link out of it":      {instead(sizes, link("/etc/passwd")), `index_sizes.csv": path escapes from parent`},
		"a link up":             {instead(sizes, link("../../../run/run.json")), `index_sizes.csv": path escapes from parent`},
		"an empty CSV":          {truncate(sizes, 0), `index_sizes.csv" line 1: there is no header`},
		"a missing column":      {swap(sizes, ",bytes\n", ",size\n"), `index_sizes.csv" line 1: column "bytes" is missing`},
		"a column more":         {swap(sizes, ",bytes\n", ",bytes,x\n"), `index_sizes.csv" line 1: column 3, "x", is not in run.json`},
		"columns out of order":  {swap(sizes, "index,bytes\n", "bytes,index\n"), `index_sizes.csv" line 1: column 1 is "bytes", run.json says "index"`},
		"a short row":           {swap(sizes, ",65536\n", "\n"), `index_sizes.csv" line 2: 1 cells for 2 columns`},
		"no number":             {swap(sizes, ",65536\n", ",\x1b[2J\n"), `index_sizes.csv" line 2: bytes is "\x1b[2J", not a number`},
		"an empty number":       {swap(sizes, ",65536\n", ",\n"), `index_sizes.csv" line 2: bytes is "", not a number`},
		"not UTF-8":             {swap(sizes, "full, ", "\xff, "), `index_sizes.csv" line 2: "index" is not UTF-8`},
		"a quote":               {swap(sizes, ",65536\n", ",6\"5536\n"), `index_sizes.csv" line 2: bare " in non-quoted`},
		"an open quote":         {swap(sizes, ",65536\n", ",\"65536\n"), `index_sizes.csv" line `},
		"a row too many":        {swap(sizes, ",65536\n", ",65536\nx,1\n"), `index_sizes.csv" line 5: one row too many, run.json says 3`},
		"a line in a cell":      {swap(sizes, ",65536\n", ",65536\n\"x\ny\",1\n"), `index_sizes.csv" line 6: one row too many, run.json says 3`},
		"a cut last line":       {truncate(sizes, 20), `index_sizes.csv" `},
		"a table elsewhere":     {swap("run.json", `"name": "index_sizes"`, `"name": "../run"`), `table "../run" is not a file name`},
		"a table of two words":  {swap("run.json", `"name": "index_sizes"`, `"name": "a b"`), `table "a b" is not a file name`},
		"a plan elsewhere":      {swap("run.json", `"name": "explain_active_rows_soft"`, `"name": "/etc/passwd"`), `plan "/etc/passwd" is not a file name`},
		"an experiment above":   {swap("run.json", `"experiment": "softdelete",`, `"experiment": "..",`), `experiment ".." is not a folder name`},
		"an experiment here":    {swap("run.json", `"experiment": "softdelete",`, `"experiment": ".",`), `experiment "." is not a folder name`},
		"an experiment twice":   {twice(""), `run.json: experiment "softdelete" is there twice`},
		"a table twice":         {twice("tables"), `is there twice`},
		"a plan twice":          {twice("plans"), `run.json: plan "explain_active_rows_soft" is there twice`},
		"a negative row count":  {swap("run.json", `"rows": 2`, `"rows": -2`), `run.json says -2`},
		"an enormous row count": {swap("run.json", `"rows": 2`, `"rows": 9223372036854775807`), `rows, run.json says 9223372036854775807`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := damaged(t)
			c.damage(t, dir)
			_, err := Open(dir)
			var folder *FolderError
			if !errors.As(err, &folder) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("opens with %v\nwant %q in it", err, c.want)
			}
			if !strings.HasSuffix(err.Error(), ": name a folder that a run wrote") {
				t.Errorf("%v: no next step", err)
			}
		})
	}
}

// What is written into a stranger's folder stays in it.
func TestWriteWholeFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	for _, name := range []string{"report.html", "report.html.part"} {
		if err := os.WriteFile(outside, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		if err := WriteWhole(filepath.Join(dir, "report.html"), []byte("page")); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(outside); string(text) != "mine" || err != nil {
			t.Errorf("%s led to a file that now holds %q, %v", name, text, err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "report.html")); string(text) != "page" || err != nil {
			t.Errorf("the report holds %q, %v", text, err)
		}
	}
}
