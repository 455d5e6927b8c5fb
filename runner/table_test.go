package runner

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTableStreamsItsRows(t *testing.T) {
	dir := t.TempDir()
	table := createTable(dir, TableSpec{Name: "t", Columns: []Column{{Name: "a"}, {Name: "b", Unit: "s"}, {Name: "c", Text: true}}})
	table.Add(int64(3), 250*time.Microsecond, `quote " and, comma`)
	table.Add(NA{Reason: "a DO block has no plan"}, 0.1, true)
	// Before it is closed: what is measured is on disk at once.
	got, err := os.ReadFile(filepath.Join(dir, "t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := "a,b,c\n3,0.00025,\"quote \"\" and, comma\"\nn/a,0.1,yes\n"
	if string(got) != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
	if err := table.close(); err != nil {
		t.Error(err)
	}
	if len(table.Reasons) != 1 || table.Reasons[0] != "a DO block has no plan" {
		t.Errorf("reasons %q", table.Reasons)
	}
}

func TestTableRefusesARowOfAnotherWidth(t *testing.T) {
	table := createTable(t.TempDir(), TableSpec{Name: "t", Columns: []Column{{Name: "a"}, {Name: "b"}}})
	table.Add(1)
	if table.close() == nil {
		t.Error("a row of one cell passes in a table of two columns")
	}
}

func TestSentence(t *testing.T) {
	table := createTable(t.TempDir(), TableSpec{Name: "t", Columns: []Column{{Name: "n", Unit: "bytes"}}})
	table.Add(44359680)
	all := Tables{"t": table}
	got, err := Say("the heap has {}.", table.Ref(0, "n")).In(all)
	if err != nil || got != "the heap has 42.3 MiB." {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []Sentence{
		Say("{} and {}", table.Ref(0, "n")),
		Say("{}", table.Ref(1, "n")),
		Say("{}", table.Ref(0, "m")),
		Say("{}", Ref{Table: "u", Value: "n"}),
	} {
		if text, err := bad.In(all); err == nil {
			t.Errorf("%+v becomes %q", bad, text)
		}
	}
}
