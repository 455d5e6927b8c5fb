package cli

import (
	"os"
	"path/filepath"
	"testing"

	"deletecost/runner"
)

func TestWriteCharts(t *testing.T) {
	f := &runner.Folder{Dir: t.TempDir()}
	charts := filepath.Join(f.Dir, "charts")
	if err := writeCharts(f, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(charts); !os.IsNotExist(err) {
		t.Errorf("without figures there is a folder for them, %v", err)
	}
	for range 2 { // a run writes them after each experiment
		if err := writeCharts(f, map[string][]byte{"a.svg": []byte("a"), "a-dark.svg": []byte("d")}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a.svg": "a", "a-dark.svg": "d"} {
		if got, err := os.ReadFile(filepath.Join(charts, name)); string(got) != want || err != nil {
			t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
		}
	}
	if entries, err := os.ReadDir(charts); len(entries) != 2 || err != nil {
		t.Errorf("%d files, %v, want 2", len(entries), err)
	}
}
