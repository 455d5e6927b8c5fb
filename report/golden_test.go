package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"deletecost/runner"
)

var update = flag.Bool("update", false, "rewrite the golden page")

// open reads the hand-made results folder: every verdict, an n/a, an
// experiment that failed, a table kept as CSV only and a figure of each mark but the heap.
func open(t *testing.T) *runner.Folder {
	t.Helper()
	f, err := runner.Open(filepath.Join("testdata", "folder"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func render(t *testing.T, f *runner.Folder, echarts []byte) []byte {
	t.Helper()
	html, err := Render(f, echarts)
	if err != nil {
		t.Fatal(err)
	}
	return html
}

// stub stands for ECharts where it does not matter what is drawn.
var stub = []byte(`const echarts = { setPlatformAPI() {}, init: () => ({ setOption() {}, dispose() {}, renderToSVGString: () => "<svg width='720' height='9'><text>still</text></svg>" }) };`)

func TestRenderGolden(t *testing.T) {
	got := render(t, open(t), stub)
	name := filepath.Join("testdata", "report.golden.html")
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		line := 1 + bytes.Count(common(got, want), []byte("\n"))
		t.Errorf("the page differs from %s from line %d on; look at it, then go test ./report -update", name, line)
	}
}

// common is what both begin with.
func common(a, b []byte) []byte {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[:i]
		}
	}
	return a[:min(len(a), len(b))]
}

func TestRenderTwiceGivesTheSameBytes(t *testing.T) {
	first := render(t, open(t), stub)
	for range 5 {
		if again := render(t, open(t), stub); !bytes.Equal(first, again) {
			t.Fatalf("the page differs after %d bytes", len(common(first, again)))
		}
	}
}

func TestRenderNamesNoFolder(t *testing.T) {
	f := open(t)
	f.Dir = "/somewhere/else"
	if html := render(t, f, stub); bytes.Contains(html, []byte("/somewhere")) {
		t.Error("the page holds the path of the folder that it was made from")
	}
}
