package report

import (
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"deletecost/runner"
)

// labels are the texts that ECharts has drawn into a figure, from left to
// right and from the top down.
func labels(t *testing.T, v *visit, figure string) []string {
	t.Helper()
	return eval[[]string](t, v, `[...document.querySelectorAll("#`+figure+` .chart svg text")].map(e => [e.textContent, e.getBoundingClientRect()])
		.sort((a, b) => Math.round(a[1].y - b[1].y) || a[1].x - b[1].x).map(e => e[0])`)
}

// holds says whether the wanted texts follow one another among all.
func holds(all, want []string) bool {
	for i := range len(all) - len(want) + 1 {
		if slices.Equal(all[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

// swept draws values along a count, as a line and as bars with a line.
func swept(t *testing.T, along []int) *runner.Folder {
	t.Helper()
	rows := [][]string{{"cycle", "rows"}}
	for _, n := range along {
		rows = append(rows, []string{strconv.Itoa(n), strconv.Itoa(2 * n)})
	}
	layer := func(m runner.Mark, label string) runner.Layer {
		return runner.Layer{Mark: m, Table: "t", X: "cycle", Y: "rows", Label: label}
	}
	o := runner.Outline{Experiment: "e", Title: "E",
		Tables: []runner.TableOutline{{TableSpec: runner.TableSpec{Name: "t", Title: "T", Columns: []runner.Column{{Name: "cycle"}, {Name: "rows", Unit: "rows"}}}, RowsN: len(along)}},
		Figures: []runner.Figure{{Name: "line", Title: "Line", Layers: []runner.Layer{layer(runner.Line, "line")}},
			{Name: "both", Title: "Both", Layers: []runner.Layer{layer(runner.Bar, "bar"), layer(runner.Line, "line")}}}}
	return folder(t, runner.Record{Experiments: []runner.Outline{o}}, map[string][][]string{"e/t": rows})
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

func TestAxesAreLabelledWhereTheyAreRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder *runner.Folder
		width  int64
		figure string
		want   []string
	}{
		{"ratios", open(t), 1400, "softdelete-ratios", []string{"0.5", "1", "2", "5", "10"}},
		{"shares", swept(t, []int{80, 90, 95, 98}), 1400, "e-line", []string{"80", "90", "95", "98"}},
		{"two cycles", swept(t, []int{1, 2}), 1400, "e-line", []string{"1", "2"}},
		{"many cycles", swept(t, upTo(50)), 1400, "e-line", []string{"0", "10", "20", "30", "40", "50"}},
		{"bars, wide", swept(t, upTo(50)), 1400, "e-both", []string{"2", "4", "6", "8", "10"}},
		{"bars, narrow", swept(t, upTo(50)), 360, "e-both", []string{"5", "10", "15", "20", "25", "30", "35", "40", "45", "50"}},
	} {
		v := browse(t, render(t, c.folder, echarts(t)), screen(c.width, "light")...)
		if got := labels(t, v, c.figure); !holds(got, c.want) {
			t.Errorf("%s: labels %q, want %q among them", c.name, got, c.want)
		}
		v.clean(t)
	}
}

func TestBarsAreLabelledAnewWhenTheScreenTurns(t *testing.T) {
	v := browse(t, render(t, swept(t, upTo(50)), echarts(t)), screen(1400, "light")...)
	if err := chromedp.Do(v.ctx, screen(360, "light")...); err != nil {
		t.Fatal(err)
	}
	wait(t, v, `(all => all.includes("45") && !all.includes("46"))([...document.querySelectorAll("#e-both .chart svg text")].map(e => e.textContent))`)
	v.clean(t)
}

func TestFirstColumnStaysWhileATableScrolls(t *testing.T) {
	v := browse(t, render(t, open(t), stub), screen(360, "light")...)
	got := eval[[2]float64](t, v, `(() => { const box = document.getElementById("softdelete/sizes.csv"); box.closest("details").open = true;
		const left = () => box.querySelector("tbody th").getBoundingClientRect().left; const before = left();
		box.querySelector(".scroll").scrollLeft = 100; return [box.querySelector(".scroll").scrollLeft, left() - before]; })()`)
	if got[0] != 100 || got[1] != 0 {
		t.Errorf("scrolled by %g px the first column moves by %g px, want by 100 and 0", got[0], got[1])
	}
}
