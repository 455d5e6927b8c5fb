package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
)

// Folders of older releases open, are judged and can be rendered. Each is a
// shrunken smoke run of the first release that wrote the schema; they are never
// written again.
func TestOlderFolders(t *testing.T) {
	for schema := 1; schema <= runner.SchemaVersion; schema++ {
		dir := filepath.Join(t.TempDir(), "old")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "schema-"+grouped(schema)))); err != nil {
			t.Fatal(err)
		}
		f, err := runner.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if f.Record.Schema != schema {
			t.Errorf("schema %d, want %d", f.Record.Schema, schema)
		}
		all, err := f.AllOutcomes()
		// The verdicts that its claims.csv and summary.txt had.
		if got, want := runner.Count(all), "3 reproduced, 2 not measured"; err != nil || got != want {
			t.Errorf("schema %d: %s, %v, want %s", schema, got, err, want)
		}
		if differences, err := runner.Check(f); len(differences) > 0 || err != nil {
			t.Errorf("schema %d: differences %v, %v", schema, differences, err)
		}
		if err := runner.Derive(f); err != nil {
			t.Error(err)
		}
		if text, err := runner.JUnit(time.Time{}, nil, f); err != nil || strings.Count(string(text), "<testcase ") != 6 {
			t.Errorf("schema %d: %v, want 6 cases in\n%s", schema, err, text)
		}
		page := string(render(t, f, stub))
		for _, want := range []string{"Soft delete against hard delete", "2.31×", "explain_active_rows_soft.txt", "s1.rows_removed_hard"} {
			if !strings.Contains(page, want) {
				t.Errorf("schema %d: the page does not hold %q", schema, want)
			}
		}
		if pictures, err := Charts(f, stub); err != nil || len(pictures) != 2 {
			t.Errorf("schema %d: %d pictures, %v, want one on each ground", schema, len(pictures), err)
		}
	}
}
