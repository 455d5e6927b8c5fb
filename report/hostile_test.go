package report

import (
	"testing"

	"deletecost/runner"
)

// hostile ends every context of a page that it could stand in.
const hostile = "</script></style></title><script>alert(1)</script><img src=x onerror=alert(2)>\"'`<!-- ]]> {{.}} __f__alert(3)__f__ \u2028 🐘 &amp; ${x} javascript:alert(4)"

// hostileFolder says it wherever data can.
func hostileFolder(t *testing.T) *runner.Folder {
	say := runner.Sentence{Text: hostile}
	claim := runner.Claim{ID: hostile, Source: hostile, Statement: hostile, Published: hostile + "1", Unit: hostile, JudgedBy: hostile, Tolerance: "shown"}
	o := runner.Outline{Experiment: "e", Title: hostile, Question: hostile, Answer: []runner.Sentence{say}, Method: []string{hostile},
		Tables: []runner.TableOutline{{TableSpec: runner.TableSpec{Name: "t", Title: hostile, Note: hostile, Columns: []runner.Column{
			{Name: hostile, Text: true, Meaning: hostile}, {Name: "v", Unit: hostile, Meaning: "meaning"}, {Name: hostile + "w", Unit: hostile}}}, Reasons: []string{hostile}, RowsN: 2}},
		Figures: []runner.Figure{
			{Name: hostile, Title: hostile, HowToRead: hostile, Layers: []runner.Layer{{Mark: runner.Bar, Table: "t", X: hostile, Y: "v", By: hostile}}},
			{Name: "parts", Title: hostile, HowToRead: hostile, Layers: []runner.Layer{{Mark: runner.Bar, Table: "t", X: hostile, Parts: []string{"v", hostile + "w"}, Label: hostile}}},
			{Name: "cells", Title: hostile, HowToRead: hostile, Layers: []runner.Layer{{Mark: runner.Heatmap, Table: "t", X: hostile, Y: hostile, Value: "v"}}},
			{Name: "lost", Title: hostile, Layers: []runner.Layer{{Mark: runner.Mark(hostile), Table: "t", X: hostile, Y: "v"}}}},
		Plans: []runner.Plan{{Name: "p", Title: hostile, SQL: hostile, Text: hostile}},
		Findings: []runner.Finding{{Claim: claim, Why: say},
			{Claim: claim, Why: say, At: []runner.Ref{{Table: "t", Value: hostile, Label: hostile}}}},
		Unmeasured: []string{hostile}, Warnings: []string{hostile}, Error: hostile, Knobs: runner.Values{hostile: 1},
		Servers: []runner.ServerRecord{{Name: hostile, Version: hostile, Settings: []runner.Setting{{Name: hostile, Value: hostile, Default: hostile, Changed: true}}}},
		Steps:   []runner.StepRecord{{Name: hostile}}}
	r := runner.Record{Program: "deletecost " + hostile, Command: []string{hostile}, Scale: hostile, Warnings: []string{hostile}, Interrupted: true,
		PostgreSQL: runner.Binaries{Version: hostile, Source: hostile, Coordinates: hostile, Digest: hostile},
		ECharts:    runner.Script{Version: hostile, Source: hostile, Digest: hostile},
		Machine:    runner.Machine{OS: hostile, Kernel: hostile, CPU: hostile, FileSystem: hostile}, Experiments: []runner.Outline{o}}
	return folder(t, r, map[string][][]string{"e/t": {{hostile, "v", hostile + "w"}, {hostile, "1", "n/a"}, {"kind", "2", "3"}}})
}

func TestHostileTextStaysText(t *testing.T) {
	v := browse(t, render(t, hostileFolder(t), echarts(t)), screen(1400, "light")...)
	for what, want := range map[string]int{
		`img`:                            0,
		`script:not([type])`:             2,
		`script[type]`:                   6,
		`style`:                          1,
		`title`:                          1,
		`figure`:                         4,
		`[onerror], [onclick], [onload]`: 0,
		`a:not([href^="#"])`:             0,
	} {
		if got := eval[int](t, v, "document.querySelectorAll(`"+what+"`).length"); got != want {
			t.Errorf("%s: %d in the page, want %d", what, got, want)
		}
	}
	for _, where := range []string{"h2", ".question", ".answer p", ".claims th .judged code", ".claims .why", ".warnings li", ".reasons li",
		".note", "tbody td", "figcaption h4", ".plan .sql", ".plan pre:not(.sql)", "summary", ".settings tbody th", ".steps th", "thead th.number .unit"} {
		expression := "[...document.querySelectorAll(`" + where + "`)].some(e => e.textContent.includes(hostile))"
		if !eval[bool](t, v, "(hostile => "+expression+")("+quoted(t, hostile)+")") {
			t.Errorf("%s does not hold the text as it is", where)
		}
	}
	if n := eval[int](t, v, unseen); n != 1 {
		t.Errorf("%d figures are not drawn, want 1, which has no such mark", n)
	}
	v.clean(t)
}
