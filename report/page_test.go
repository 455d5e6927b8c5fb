package report

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"deletecost/runner/fetch"
)

var fetched = sync.OnceValues(func() ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	script, err := fetch.ECharts(ctx, fetch.Options{})
	return script.JS, err
})

// echarts is the pinned script, from the cache or a registry.
func echarts(t *testing.T) []byte {
	t.Helper()
	js, err := fetched()
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("ECharts could not be had, so that no figure is tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// unseen counts figures without an SVG in which at least one path has a length.
const unseen = `[...document.querySelectorAll("figure")].filter(f => ![...f.querySelectorAll(".chart svg path")]
	.some(p => p.getTotalLength() > 0)).length`

func TestPageDrawsEveryFigureAndRequestsNothing(t *testing.T) {
	html := render(t, open(t), echarts(t))
	if limit := 2_500_000; len(html) > limit {
		t.Errorf("the page has %d bytes, the limit is %d", len(html), limit)
	}
	for _, scheme := range []string{"light", "dark"} {
		v := browse(t, html, screen(1400, scheme)...)
		if n := eval[int](t, v, `document.querySelectorAll("figure").length`); n != 6 {
			t.Errorf("%s: %d figures, want 6", scheme, n)
		}
		if n := eval[int](t, v, unseen); n != 0 {
			t.Errorf("%s: %d figures are not drawn", scheme, n)
		}
		if n := eval[int](t, v, `document.querySelectorAll('.chart[role="img"][aria-label*="Each line is one table"]').length`); n != 1 {
			t.Errorf("%s: %d figures are told in words as the first one is, want 1", scheme, n)
		}
		v.clean(t)
	}
}

func TestPageIsNoWiderThanItsScreen(t *testing.T) {
	html := render(t, open(t), echarts(t))
	for _, width := range []int64{320, 360, 1400} {
		v := browse(t, html, screen(width, "light")...)
		eval[bool](t, v, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
		if got := eval[int64](t, v, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("the page is %d px wide on a screen of %d", got, width)
		}
		v.clean(t)
	}
}

func TestFiguresFollowTheColourScheme(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	const strokes = `[...document.querySelectorAll("#softdelete-heap .chart svg path")].map(p => p.getAttribute("stroke"))`
	if got := eval[[]string](t, v, strokes); !slices.Contains(got, "#1f66c1") {
		t.Errorf("light: strokes %q, want the first colour of the light palette", got)
	}
	if err := chromedp.Do(v.ctx, screen(1400, "dark")...); err != nil {
		t.Fatal(err)
	}
	wait(t, v, strokes+`.includes("#6fb0ff")`)
	v.clean(t)
}

func TestTooltipShowsValueAndUnit(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	at := eval[[2]float64](t, v, `(() => { const el = document.querySelector("#softdelete-latency .chart"); el.scrollIntoView();
		const b = el.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height * 0.6]; })()`)
	if err := chromedp.Do(v.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])); err != nil {
		t.Fatal(err)
	}
	wait(t, v, `document.querySelector("#softdelete-latency .chart").textContent.includes("soft: 236 µs [229, 244]")`)
	v.clean(t)
}

func TestLegendHidesASeries(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	const drawn = `[...document.querySelectorAll("#softdelete-heap .chart svg path")].some(p => p.getAttribute("stroke") === "#cf4a1b")`
	if !eval[bool](t, v, drawn) {
		t.Fatal("the second series is not drawn")
	}
	eval[bool](t, v, `document.querySelectorAll("#softdelete-heap .legend button")[1].click(), true`)
	wait(t, v, `!`+drawn)
	v.clean(t)
}

// wait waits until a condition holds in the page.
func wait(t *testing.T, v *visit, condition string) {
	t.Helper()
	for range 100 {
		if eval[bool](t, v, condition) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("after 10 s it does not hold that %s", condition)
}

// cells reads a table's rows as they are in the CSV, by the names of the columns.
const cells = `(box => { const names = [...box.querySelectorAll("thead th")].map(h => h.firstChild.textContent.trim());
	return [...box.querySelectorAll("tbody tr")].map(r => Object.fromEntries([...r.cells].map(
		(c, i) => [names[i], c.querySelector("data") ? c.querySelector("data").value : c.textContent]))); })`

func TestPageWithoutScriptsHasEveryCell(t *testing.T) {
	f := open(t)
	v := browse(t, render(t, f, stub), do(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	for _, o := range f.Record.Experiments {
		for name, table := range f.Tables(o.Experiment) {
			if table.Raw {
				continue
			}
			got := eval[[]map[string]string](t, v, cells+`(document.getElementById(`+quoted(t, o.Experiment+"/"+name+".csv")+`))`)
			if len(got) != len(table.Rows) {
				t.Errorf("%s: the page has %d rows, the CSV %d", name, len(got), len(table.Rows))
				continue
			}
			for i, row := range table.Rows {
				for j, c := range table.Columns {
					if got[i][c.Name] != row[j] {
						t.Errorf("%s: row %d has %s %q, the CSV %q", name, i, c.Name, got[i][c.Name], row[j])
					}
				}
			}
		}
	}
	text := eval[string](t, v, `document.body.textContent`)
	plan, err := os.ReadFile(filepath.Join("testdata", "folder", "softdelete", "explain_active_rows_soft.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{string(plan[:len(plan)-1]), "What concurrent writers add.", "softdelete/samples.csv"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page without scripts does not hold %q", want)
		}
	}
	v.clean(t)
}
