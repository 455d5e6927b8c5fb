package bulkdelete

import (
	"testing"

	"deletecost/runner"
)

// The first row with the words counts, and a row that is missing is no row.
func TestCellOf(t *testing.T) {
	table := &runner.Table{TableSpec: runner.TableSpec{Name: "t", Columns: []runner.Column{{Name: "way", Text: true}, {Name: "n"}}}, Rows: [][]string{{"a", "1"}, {"b", "2"}, {"b", "3"}}}
	for way, want := range map[string]int{"a": 0, "b": 1, "c": -1} {
		if got := cellOf(table, "n", map[string]string{"way": way}); got.Row != want || got.Value != "n" || got.Table != "t" {
			t.Errorf("%s is at %+v, want row %d", way, got, want)
		}
	}
}
