package report

import (
	"testing"

	"deletecost/runner"
)

// hostileComparison says it wherever data, and the names of folders, can.
func hostileComparison(t *testing.T) *runner.Comparison {
	t.Helper()
	other := hostileFolder(t)
	other.Record.Machine.CPU = "another"
	other.Record.Experiments[0].Servers[0].Settings[0].Value = "another"
	lone := hostileFolder(t)
	lone.Record.Experiments = append(lone.Record.Experiments, runner.Outline{Experiment: hostile})
	c, err := runner.Compare([]runner.Member{{Name: hostile, Folder: hostileFolder(t)}, {Name: hostile + "2", Folder: other}, {Name: hostile + "3", Folder: lone}})
	if err != nil {
		t.Fatal(err)
	}
	c.Matrix = &runner.Matrix{Program: hostile, Command: []string{hostile}, Folders: []string{"a", "b", "c", "d"}}
	c.Unfinished = []string{"javascript:alert(5)", hostile}
	return c
}

func TestHostileComparisonStaysText(t *testing.T) {
	v := browse(t, renderComparison(t, hostileComparison(t), echarts(t)), screen(320, "light")...)
	for what, want := range map[string]int{
		`img, iframe, object, base, form`: 0,
		`script`:                          0,
		`style`:                           1,
		`title`:                           1,
		`[onerror], [onclick], [onload], [style]`:       0,
		`a:not([href^="#"]):not([href^="./"])`:          0,
		`svg :is(a, script, image, use, foreignObject)`: 0,
		`figure`: 4,
	} {
		if got := eval[int](t, v, "document.querySelectorAll(`"+what+"`).length"); got != want {
			t.Errorf("%s: %d in the page, want %d", what, got, want)
		}
	}
	for _, where := range []string{"h2", ".question", ".folders th", ".folders td", ".banner", ".glance", ".claims th .judged code", ".claims td.number",
		".panel > p", "figcaption h4", ".table .note", ".table tbody td", ".settings tbody th", ".settings tbody td"} {
		expression := "[...document.querySelectorAll(`" + where + "`)].some(e => e.textContent.includes(hostile))"
		if !eval[bool](t, v, "(hostile => "+expression+")("+quoted(t, hostile)+")") {
			t.Errorf("%s does not hold the text as it is", where)
		}
	}
	wider(t, v, 320)
	v.clean(t)
}

func TestComparisonIsNoWiderThanItsScreen(t *testing.T) {
	html := renderComparison(t, three(t), echarts(t))
	for _, width := range []int64{320, 1400} {
		v := browse(t, html, screen(width, "dark")...)
		wider(t, v, width)
		v.clean(t)
	}
}

// wider fails when the page, all of it open, is wider than its screen.
func wider(t *testing.T, v *visit, width int64) {
	t.Helper()
	eval[bool](t, v, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
	if got := eval[int64](t, v, `document.documentElement.scrollWidth`); got > width {
		t.Errorf("the page is %d px wide on a screen of %d", got, width)
	}
}

// The plot is drawn by the page itself: its marks stand where their ratios are.
func TestForestIsDrawn(t *testing.T) {
	v := browse(t, renderComparison(t, three(t), nil), screen(1400, "light")...)
	const middle = `(() => { const strip = [...document.querySelectorAll("#softdelete\\/over-first .strip")].find(s => s.textContent.includes("s1.ratio"));
		const mid = e => { const b = e.getBoundingClientRect(); return b.x + b.width / 2; };
		const at = label => mid([...document.querySelectorAll("#softdelete\\/over-first .axis text")].find(t => t.textContent === label));
		return Math.abs(mid(strip.querySelector("g path, g circle")) - at("2")); })()`
	if off := eval[float64](t, v, middle); off > 1 {
		t.Errorf("the mark of the ratio 2 is %v px away from the 2 of the axis", off)
	}
	v.clean(t)
}
