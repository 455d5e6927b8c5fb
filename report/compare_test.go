package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"deletecost/runner"
)

// repeat is a hand-made folder: a counted size, a ratio with an interval, a
// word, a time that was taken once, a claim that is not measured anywhere and
// one of five values, on one server.
func repeat(t *testing.T, version, ratio, low, high, size string) *runner.Folder {
	t.Helper()
	claim := func(id, published, unit, tolerance string) runner.Claim {
		return runner.Claim{ID: id, Source: "s1", Statement: "the statement of " + id, Published: published, Unit: unit, Tolerance: tolerance, Experiment: "softdelete"}
	}
	at := func(value string) runner.Ref { return runner.Ref{Table: "values", Value: value} }
	interval := runner.Ref{Table: "values", Value: "ratio", Low: "low", High: "high"}
	five := []runner.Ref{at("bytes").Named("a"), at("bytes").Named("b"), at("bytes").Named("c"), at("bytes").Named("d"), interval.Named("e")}
	settings := []runner.Setting{{Name: "data_checksums", Value: "off", Default: "off"}, {Name: "work_mem", Value: "4MB", Default: "4MB"}}
	if version == "18.4" {
		settings = append(settings, runner.Setting{Name: "io_method", Value: "worker", Default: "worker"})
	}
	number := func(name, unit string) runner.Column { return runner.Column{Name: name, Unit: unit} }
	o := runner.Outline{Experiment: "softdelete", Title: "Soft delete", Question: "What do rows cost that stay?", Knobs: runner.Values{"cycles": 2},
		Tables: []runner.TableOutline{
			{TableSpec: runner.TableSpec{Name: "values", Title: "Values", Columns: []runner.Column{number("bytes", "bytes"), number("ratio", "x"), number("low", "x"), number("high", "x"),
				{Name: "word", Text: true}, number("took_s", "s")}}, RowsN: 1},
			{TableSpec: runner.TableSpec{Name: "cycles", Title: "Cycles", Note: "Read after VACUUM.", Columns: []runner.Column{{Name: "table", Text: true}, number("cycle", ""), number("heap_bytes", "bytes")}}, RowsN: 2},
		},
		Figures: []runner.Figure{{Name: "heap", Title: "Heap", HowToRead: "Each line is a table.", Layers: []runner.Layer{{Mark: runner.Line, Table: "cycles", X: "cycle", Y: "heap_bytes", By: "table"}}}},
		Findings: []runner.Finding{
			{Claim: claim("s1.size", "8192", "bytes", "equal 8192"), At: []runner.Ref{at("bytes")}, Why: runner.Say("it was counted")},
			{Claim: claim("s1.ratio", "1.8", "x", "within 1.62 1.98 or above 1"), At: []runner.Ref{interval}, Why: runner.Say("it was timed")},
			{Claim: claim("s1.word", "yes", "bool", "equal yes"), At: []runner.Ref{at("word")}, Why: runner.Say("the plan says so")},
			{Claim: claim("s1.time", "300", "ms", "shown"), At: []runner.Ref{at("took_s")}, Why: runner.Say("it was timed once")},
			{Claim: claim("s1.five", "see source", "", "shown"), At: five, Why: runner.Say("these are many")},
			{Claim: claim("s1.none", "3", "rows", "shown"), Why: runner.Say("not measured at this scale: too small")},
		},
		Servers: []runner.ServerRecord{{Name: "softdelete", Version: "PostgreSQL " + version, Settings: settings}}, Seconds: 3}
	r := runner.Record{Scale: runner.Smoke, Seed: 1234, Seconds: 4, Started: time.Date(2026, 11, 30, 16, 0, 0, 0, time.UTC),
		PostgreSQL: runner.Binaries{Version: version, Pinned: true}, Machine: runner.Machine{OS: "linux/amd64", CPU: "A processor", CPUs: 2, Memory: 1 << 33}, Experiments: []runner.Outline{o}}
	return folder(t, r, map[string][][]string{
		"softdelete/values": {{"bytes", "ratio", "low", "high", "word", "took_s"}, {size, ratio, low, high, "yes", "0.25"}},
		"softdelete/cycles": {{"table", "cycle", "heap_bytes"}, {"soft", "1", "4096"}, {"soft", "2", size}}})
}

// three are two runs of one version, which lie far apart, and one of another.
func three(t *testing.T) *runner.Comparison {
	t.Helper()
	c, err := runner.Compare([]runner.Member{
		{Name: "17.10-1", Folder: repeat(t, "17.10", "2", "1.9", "2.1", "8192")},
		{Name: "17.10-2", Folder: repeat(t, "17.10", "2.4", "2.3", "2.5", "8192")},
		{Name: "18.4-1", Folder: repeat(t, "18.4", "4.4", "4.2", "4.6", "16384")},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Matrix = &runner.Matrix{Program: "deletecost test", Command: []string{"--pg", "17,18"}, Folders: []string{"17.10-1", "17.10-2", "18.4-1", "18.4-2"}}
	c.Unfinished = []string{"18.4-2"}
	return c
}

func renderComparison(t *testing.T, c *runner.Comparison, echarts []byte) []byte {
	t.Helper()
	html, err := Compare(c, echarts)
	if err != nil {
		t.Fatal(err)
	}
	return html
}

var style = regexp.MustCompile(`(?s)(<style>).*(</style>)|(sha256-)[^ ]*=`)

// unstyled leaves out the style, which the golden page of one folder has.
func unstyled(html []byte) []byte { return style.ReplaceAll(html, []byte("$1$2$3")) }

func TestCompareGolden(t *testing.T) {
	html := renderComparison(t, three(t), stub)
	got := unstyled(html)
	name := filepath.Join("testdata", "compare.golden.html")
	if *update {
		put(t, name, got)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		line := 1 + bytes.Count(common(got, want), []byte("\n"))
		t.Errorf("the page differs from %s from line %d on; look at it, then go test ./report -update", name, line)
	}
	if again := renderComparison(t, three(t), stub); !bytes.Equal(html, again) {
		t.Error("the same folders give other bytes")
	}
}

// Sizes: 16384 over 8192. Ratios: the median of 2 and 2.4 is 2.2, so that 4.4 is twice as much.
func TestCompareSaysHowFoldersStand(t *testing.T) {
	html := string(renderComparison(t, three(t), stub))
	for _, want := range []string{
		"What deleting costs in PostgreSQL 17.10 and 18.4", "3 of 4 runs planned came to their end;", `<a href="./18.4-2/report.html">What was measured</a>`,
		"PostgreSQL 18.4 against PostgreSQL 17.10:</strong> 1 equal, 5 not equal, 2 larger, 1 no interval.",
		"2 runs of PostgreSQL 17.10:</strong> of 6 counted figures 6 are equal in all of them; of 2 figures with an interval 2 lie further apart between runs",
		"Data checksums are off on 1 server, the same in all groups", "median 2.20×, runs from 2.00× to 2.40×, further apart than within",
		`<span aria-hidden="true">≠</span> not equal</span> <span class="ratio">2.00×</span>`, `<span class="ratio">2.00× [`,
		`<code>s1.none</code> the statement of s1.none<span class="reason">not measured at this scale: too small</span>`,
		`<th scope="row">io_method</th><td class="quiet">softdelete</td><td><span class="na">none</span></td><td>worker</td>`,
		"Left out: 1 figure that is counted, or not numbers, and equal in all.",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if n := strings.Count(html, "<svg width='720'"); n != 0 {
		t.Error("a picture is in the page as ECharts made it")
	}
	if n := strings.Count(html, `class="still"`); n != 2 {
		t.Errorf("%d panels, want one of each version", n)
	}
}

func TestCompareWithoutEChartsDrawsNoFigureAndAllElse(t *testing.T) {
	html := string(renderComparison(t, three(t), nil))
	if n := strings.Count(html, "ECharts could not be had; its numbers are in the tables"); n != 2 {
		t.Errorf("%d panels say that they are not drawn, want 2", n)
	}
	for _, want := range []string{"Measured over published", "Tables side by side"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestCompareOfAnInterruptedMatrix(t *testing.T) {
	c, err := runner.Compare(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Matrix, c.Unfinished = &runner.Matrix{Folders: []string{"17.10-1", "17.10-2"}}, []string{"17.10-1"}
	if html := string(renderComparison(t, c, nil)); !strings.Contains(html, "0 of 2 runs planned came to their end;") {
		t.Error("the page does not say that no run came to its end")
	}
}

func TestCompareNamesNoFolder(t *testing.T) {
	c := three(t)
	for _, m := range c.Members {
		m.Folder.Dir = "/somewhere/else"
	}
	if bytes.Contains(renderComparison(t, c, stub), []byte("/somewhere")) {
		t.Error("the page holds the path of a folder")
	}
}

// Places on the axis from 0.1 to 10: 1 is in the middle, 10 at the end, and so is what lies beyond.
func TestForestPlaces(t *testing.T) {
	a := ratioAxis([]ratios{{of: []ratio{{value: 0.1}, {value: 9}}}})
	for v, want := range map[float64]string{0.1: "0.00%", 1: "50.00%", 10: "100.00%", 1e6: "100.00%", 1e-6: "0.00%"} {
		if got := a.place(v); got != want {
			t.Errorf("%v lies at %s, want %s", v, got, want)
		}
	}
	if got := fmt.Sprint(a.ticks()); got != "[{0.00% 0.1 false} {15.05% 0.2 false} {34.95% 0.5 false} {50.00% 1 true} {65.05% 2 false} {84.95% 5 false} {100.00% 10 false}]" {
		t.Errorf("ticks %s", got)
	}
}

func TestRoundUp(t *testing.T) {
	for v, want := range map[float64]float64{42.3: 50, 243: 250, 9.8: 10, 105: 120, 15: 15, 0.0042: 0.005, 0: 0, 10: 10} {
		if got := roundUp(v); got != want {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
	}
}
