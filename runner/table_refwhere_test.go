package runner

import "testing"

// The first row with the words counts, and a row that is missing is no row.
func TestRefWhere(t *testing.T) {
	table := &Table{TableSpec: TableSpec{Name: "t", Columns: []Column{{Name: "way", Text: true}, {Name: "n"}}}, Rows: [][]string{{"a", "1"}, {"b", "2"}, {"b", "3"}}}
	for way, want := range map[string]int{"a": 0, "b": 1, "c": -1} {
		if got := table.RefWhere("n", map[string]string{"way": way}); got.Row != want || got.Value != "n" || got.Table != "t" {
			t.Errorf("%s is at %+v, want row %d", way, got, want)
		}
	}
}
