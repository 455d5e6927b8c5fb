package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// matching are the elements of a picture with a value of an attribute.
func matching(t *testing.T, svg []byte, element, attr, value string) []xml.StartElement {
	t.Helper()
	var all []xml.StartElement
	parts, _ := elements(t, svg)
	for _, e := range parts {
		if e.Name.Local == element && attribute(e, attr) == value {
			all = append(all, e)
		}
	}
	return all
}

// An interval is a line with an end on either side: three lines each.
func TestStillShowsIntervals(t *testing.T) {
	all := drawn(t, open(t))
	for name, want := range map[string]int{"softdelete-heap": 0, "softdelete-latency": 3 * 5, "softdelete-ratios": 3 * 4} {
		if got := len(matching(t, all[name+".svg"], "path", "stroke-width", "1.5")); got != want {
			t.Errorf("%s has %d lines of intervals, want %d", name, got, want)
		}
	}
}

func TestStillHasTwoHundredPoints(t *testing.T) {
	all := drawn(t, swept(t, upTo(1000)))
	line := func(name, colour string) int {
		longest := 0
		for _, e := range matching(t, all[name], "path", "stroke", colour) {
			longest = max(longest, strings.Count(attribute(e, "d"), "L")+1)
		}
		return longest
	}
	if got := line("e-line.svg", "#1f66c1"); got != 200 {
		t.Errorf("a line alone has %d points, want 200", got)
	}
	// The line keeps its colour, so that the bars have the second one.
	bars := 0
	for _, e := range matching(t, all["e-both.svg"], "path", "fill", "#cf4a1b") {
		// The legend's has a place of its own.
		if attribute(e, "transform") == "" {
			bars++
		}
	}
	if got := line("e-both.svg", "#1f66c1"); got != 100 || bars != 100 {
		t.Errorf("%d bars and a line of %d points, want 100 of each", bars, got)
	}
}

func TestSparseKeepsEndsAndAxes(t *testing.T) {
	d := &drawing{series: []series{{points: make([]point, 1000)}, {points: make([]point, 1000)}, {points: make([]point, 3)}}}
	for i := range 1000 {
		d.series[0].points[i].at = float64(i)
	}
	out := d.sparse()
	got := out.series[0].points
	if len(got) != 66 || got[0].at != 0 || got[65].at != 999 || len(out.series[2].points) != 3 || len(d.series[0].points) != 1000 {
		t.Errorf("%d points from %g to %g beside %d, of %d", len(got), got[0].at, got[len(got)-1].at, len(out.series[2].points), len(d.series[0].points))
	}
}

func TestPageSaysWhenStillFiguresHaveFewerPoints(t *testing.T) {
	for n, want := range map[int]int{100: 0, 101: 1} {
		// One figure has a series of n points, the other two.
		html := string(render(t, swept(t, upTo(n)), stub))
		if got := strings.Count(html, "the figure has at most 200 points"); got != want {
			t.Errorf("%d points a series: %d figures say that they have fewer on paper, want %d", n, got, want)
		}
	}
}

// shown counts the elements that take up room.
func shown(t *testing.T, v *visit, what string) int {
	t.Helper()
	return eval[int](t, v, "[...document.querySelectorAll(`"+what+"`)].filter(e => e.getBoundingClientRect().height > 50).length")
}

func TestPageWithoutScriptsShowsStillFigures(t *testing.T) {
	html := render(t, open(t), echarts(t))
	for scheme, colour := range map[string]string{"light": "rgb(31, 102, 193)", "dark": "rgb(111, 176, 255)"} {
		v := browse(t, html, append(screen(360, scheme), do(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))...)
		if stills, charts := shown(t, v, ".still svg"), shown(t, v, ".chart"); stills != 6 || charts != 0 {
			t.Errorf("%s: %d still figures and %d charts are shown, want 6 and 0", scheme, stills, charts)
		}
		if !eval[bool](t, v, "[...document.querySelectorAll(`#softdelete-heap .still path`)].some(p => getComputedStyle(p).stroke === `"+colour+"`)") {
			t.Errorf("%s: no line has the colour %s", scheme, colour)
		}
		if got := eval[int](t, v, `document.documentElement.scrollWidth`); got > 360 {
			t.Errorf("%s: the page is %d px wide on a screen of 360", scheme, got)
		}
		v.clean(t)
	}
}

func TestPageShowsAFigureOnceAndStillOnPaper(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "dark")...)
	if stills, charts := shown(t, v, ".still svg"), shown(t, v, ".chart svg"); stills != 0 || charts != 6 {
		t.Errorf("on a screen %d still figures and %d charts are shown, want 0 and 6", stills, charts)
	}
	paper := do(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if err := chromedp.Do(v.ctx, paper); err != nil {
		t.Fatal(err)
	}
	if stills, charts := shown(t, v, ".still svg"), shown(t, v, ".chart svg"); stills != 6 || charts != 0 {
		t.Errorf("on paper %d still figures and %d charts are shown, want 6 and 0", stills, charts)
	}
	if n := shown(t, v, ".legend"); n != 0 {
		t.Errorf("on paper %d legends stand beside those of the figures", n)
	}
	v.clean(t)
}
