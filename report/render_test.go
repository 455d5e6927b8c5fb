package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deletecost/runner"
)

// folder writes a record with its tables' rows, the header first, and opens it.
func folder(t *testing.T, r runner.Record, tables map[string][][]string) *runner.Folder {
	t.Helper()
	dir := t.TempDir()
	r.Schema = runner.SchemaVersion
	if r.Program == "" {
		r.Program = "deletecost test"
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "run.json"), text)
	for name, rows := range tables {
		var out bytes.Buffer
		if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name+".csv"), out.Bytes())
	}
	for _, o := range r.Experiments {
		for _, p := range o.Plans {
			put(t, filepath.Join(dir, o.Experiment, p.Name+".txt"), []byte(p.Text))
		}
	}
	f, err := runner.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func put(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRenderRefusesAScriptThatEndsItsElement(t *testing.T) {
	for _, script := range []string{"a</ScRiPt>b", "<!-- a", "a\r\nb", "a\x00b", "a\xffb", "<script"} {
		if _, err := Render(open(t), []byte(script)); err == nil {
			t.Errorf("%q was put into the page", script)
		}
	}
}

func TestRenderWithoutEChartsSaysSoInEachPlace(t *testing.T) {
	html := string(render(t, open(t), nil))
	if n := strings.Count(html, "ECharts could not be had; its numbers are in the table beneath"); n != 6 {
		t.Errorf("%d figures say that they are not drawn, want 6", n)
	}
	for _, bad := range []string{"<script", "script-src", `class="chart"`} {
		if strings.Contains(html, bad) {
			t.Errorf("the page without scripts holds %s", bad)
		}
	}
	for _, want := range []string{"default-src &#39;none&#39;", `<data value="0.000236">236 µs</data>`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
}

func TestRenderFailsOnARefThatPointsNowhere(t *testing.T) {
	o := runner.Outline{Experiment: "e", Title: "E", Answer: []runner.Sentence{runner.Say("{}", runner.Ref{Table: "gone", Value: "v"})}}
	_, err := Render(folder(t, runner.Record{Experiments: []runner.Outline{o}}, nil), nil)
	if err == nil || !strings.Contains(err.Error(), `experiment "e"`) || !strings.Contains(err.Error(), `"gone"`) {
		t.Errorf("error %v, want one that names the experiment and the table", err)
	}
}

func TestRenderKeepsThePageWhenAFigureCannotBeDrawn(t *testing.T) {
	o := runner.Outline{Experiment: "e", Title: "E", Figures: []runner.Figure{{Name: "f", Title: "F", Layers: []runner.Layer{{Table: "gone"}}}}}
	html := render(t, folder(t, runner.Record{Experiments: []runner.Outline{o}}, nil), stub)
	if want := "This figure cannot be drawn: there is no table &#34;gone&#34;."; !bytes.Contains(html, []byte(want)) {
		t.Errorf("the page does not say %s", want)
	}
}

func TestRenderAlwaysSaysWhatWasNotMeasured(t *testing.T) {
	for name, r := range map[string]runner.Record{
		"nothing ran":         {},
		"interrupted":         {Interrupted: true},
		"everything measured": {Experiments: []runner.Outline{{Experiment: "e", Title: "E"}}},
	} {
		html := string(render(t, folder(t, r, nil), stub))
		if !strings.Contains(html, `<h2>What was not measured</h2>`) {
			t.Errorf("%s: the section is missing", name)
		}
		if got := strings.Contains(html, "This run was interrupted."); got != r.Interrupted {
			t.Errorf("%s: banner of an interruption %v, want %v", name, got, r.Interrupted)
		}
	}
}

func TestRenderOfAKilledRunClaimsNothing(t *testing.T) {
	killed := runner.Outline{Experiment: "e", Title: "E", Error: "the run was killed while this experiment ran"}
	html := string(render(t, folder(t, runner.Record{Scale: runner.Laptop, Experiments: []runner.Outline{killed}}, nil), stub))
	for _, want := range []string{"E did not run to its end:</strong> the run was killed", "Nothing of it is on this page.",
		"No published claim was judged", "Nothing of it was judged", "No time is on record", "No server is on record"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, bad := range []string{"Every published claim of this experiment has a value", "took 0 s", "Nothing was measured.", "What was measured</a>"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page says %q", bad)
		}
	}
}

func TestRenderFoldsMoreThanTwoWarnings(t *testing.T) {
	for warnings, want := range map[int]string{
		1: `<details class="warnings" open><summary><span aria-hidden="true">⚠</span> 1 warning</summary>`,
		2: `<details class="warnings" open><summary><span aria-hidden="true">⚠</span> 2 warnings</summary>`,
		3: `<details class="warnings"><summary><span aria-hidden="true">⚠</span> 3 warnings</summary>`,
	} {
		o := runner.Outline{Experiment: "e", Title: "E", Warnings: []string{"a", "b", "c"}[:warnings]}
		html := string(render(t, folder(t, runner.Record{Experiments: []runner.Outline{o}}, nil), stub))
		at, claims := strings.Index(html, want), strings.Index(html, "Published claims")
		if at < 0 || at > claims {
			t.Errorf("%d warnings: %s does not stand before the claims", warnings, want)
		}
	}
}

func TestRenderShowsTheRuleAndNoNotes(t *testing.T) {
	f := open(t)
	claim := &f.Record.Experiments[0].Findings[1].Claim
	claim.JudgedBy = "a note for developers"
	html := string(render(t, f, stub))
	if strings.Contains(html, claim.JudgedBy) {
		t.Error("the page shows a note of the fixtures")
	}
	if want := "between 1.62 and 1.98"; !strings.Contains(html, want) {
		t.Errorf("the page does not show the rule %q", want)
	}
}

// quoted is a string as JavaScript reads it.
func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
