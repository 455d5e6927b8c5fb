package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"deletecost/runner"
)

// waits is a table of bars with three parts, in seconds, and their total.
func waits(rows ...[]string) *runner.Table {
	return &runner.Table{TableSpec: runner.TableSpec{Name: "waits", Title: "Waits", Columns: []runner.Column{{Name: "arm", Text: true},
		{Name: "server_s", Unit: "s", Meaning: "in the server"}, {Name: "waiting_s", Unit: "s"}, {Name: "network_s", Unit: "s"}, {Name: "total_s", Unit: "s"},
		{Name: "wal", Unit: "bytes"}}}, Rows: rows}
}

func twoWaits() *runner.Table {
	return waits([]string{"soft", "0.25", "0.5", "0.004", "0.754", "1"}, []string{"hard", "0.5", "n/a", "-0.125", "1", "1"})
}

func stackFigure(y string, parts ...string) runner.Figure {
	return runner.Figure{Layers: []runner.Layer{{Mark: runner.Bar, Table: "waits", X: "arm", Y: y, Parts: parts}}}
}

func allParts() runner.Figure { return stackFigure("total_s", "server_s", "waiting_s", "network_s") }

func TestPartsOfABarAreSeriesOfItsRows(t *testing.T) {
	d, err := newDrawing(allParts(), runner.Tables{"waits": twoWaits()})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name string
		data [2][2]any
	}{
		{"in the server", [2][2]any{{0.0, 250.0}, {1.0, 500.0}}},
		{"waiting", [2][2]any{{0.0, 500.0}, {1.0, "-"}}},
		{"network", [2][2]any{{0.0, 4.0}, {1.0, -125.0}}},
	} {
		s := d.series[i]
		for j, p := range s.points {
			if got := d.value(p); s.name != want.name || s.part != i+1 || [2]any(got) != want.data[j] {
				t.Errorf("part %d, %q, is drawn at %v, want %q at %v", s.part, s.name, got, want.name, want.data[j])
			}
		}
	}
	if d.y.label() != "total (ms)" {
		t.Errorf("the axis is named %q, want total (ms): no bar reaches a second", d.y.label())
	}
	if note := "Left out of their bars, since n/a: “waiting” of “hard”."; !slices.Equal(d.notes, []string{note}) {
		t.Errorf("notes %q, want %q", d.notes, note)
	}
}

// The unit is that of the longest bar: 0.6 s and 0.6 s make 1.2 s.
func TestAxisOfPartsHasTheUnitOfTheirSum(t *testing.T) {
	f := stackFigure("", "server_s", "waiting_s")
	f.Layers[0].Label = "time of an arm"
	d, err := newDrawing(f, runner.Tables{"waits": waits([]string{"soft", "0.6", "0.6", "0", "0", "0"})})
	if err != nil {
		t.Fatal(err)
	}
	if d.y.label() != "time of an arm (s)" || d.stack.Total != "" || d.stack.Ends[0] != "" {
		t.Errorf("axis %q, total %q and end %q, want time of an arm (s) and no total", d.y.label(), d.stack.Total, d.stack.Ends[0])
	}
}

func TestStackTellsPartsAndTotals(t *testing.T) {
	d, err := newDrawing(allParts(), runner.Tables{"waits": twoWaits()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.chart([]int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if c.Bars != 1 || !slices.Equal(c.Stack.Parts, []int{0, 1, 2}) || c.Stack.Total != "total" {
		t.Errorf("%d bars a category of the parts %v with the total %q, want 1 of 0, 1 and 2", c.Bars, c.Stack.Parts, c.Stack.Total)
	}
	for i, want := range [][]string{{"250 ms", "500 ms"}, {"500 ms", "n/a"}, {"4.00 ms", "-125 ms"}} {
		if got := c.Stack.Told[i]; !slices.Equal(got, want) {
			t.Errorf("part %d is told as %q, want %q", i, got, want)
		}
	}
	if want := []string{"754 ms", "1.00 s\n1 part n/a"}; !slices.Equal(c.Stack.Ends, want) {
		t.Errorf("at the ends stand %q, want %q", c.Stack.Ends, want)
	}
}

func TestTotalDoesNotStandUponPoints(t *testing.T) {
	f := allParts()
	f.Layers = append(f.Layers, runner.Layer{Mark: runner.Points, Table: "waits", X: "arm", Y: "total_s", Label: "median"})
	d, err := newDrawing(f, runner.Tables{"waits": twoWaits()})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"", "1 part n/a"}; !slices.Equal(d.stack.Ends, want) || d.stack.Totals[0] != "754 ms" {
		t.Errorf("at the ends stand %q, want %q, and the total for the tooltip: %q", d.stack.Ends, want, d.stack.Totals)
	}
}

func TestEndOfABar(t *testing.T) {
	for _, c := range []struct {
		total          string
		missing, parts int
		want           string
	}{
		{"", 0, 3, ""}, {"2 s", 0, 3, "2 s"}, {"", 1, 3, "1 part n/a"}, {"2 s", 2, 3, "2 s\n2 parts n/a"}, {"2 s", 3, 3, "2 s\nparts n/a"}, {"n/a", 3, 3, "n/a"},
	} {
		if got := end(c.total, c.missing, c.parts); got != c.want {
			t.Errorf("%q with %d of %d parts n/a ends in %q, want %q", c.total, c.missing, c.parts, got, c.want)
		}
	}
}

func TestStackRefusesWhatIsNone(t *testing.T) {
	log, beside, by := allParts(), allParts(), allParts()
	log.YLog = true
	beside.Layers = append(beside.Layers, runner.Layer{Mark: runner.Bar, Table: "waits", X: "arm", Y: "total_s"})
	by.Layers[0].By = "arm"
	twice := twoWaits()
	twice.Rows = append(twice.Rows, twice.Rows[0])
	for _, c := range []struct {
		figure runner.Figure
		table  *runner.Table
		want   string
	}{
		{log, twoWaits(), "no place on a logarithmic axis"},
		{beside, twoWaits(), "without other bars"},
		{by, twoWaits(), "neither series nor intervals"},
		{stackFigure("", "server_s"), twoWaits(), "2 to 6 parts, not 1"},
		{stackFigure("", "server_s", "lost"), twoWaits(), `no column "lost"`},
		{stackFigure("lost", "server_s", "waiting_s"), twoWaits(), `no column "lost"`},
		{stackFigure("", "server_s", "wal"), twoWaits(), `"s" and "bytes"`},
		{stackFigure("wal", "server_s", "waiting_s"), twoWaits(), `"s" and "bytes"`},
		{stackFigure("", "server_s", "arm"), twoWaits(), "holds words"},
		{stackFigure("", "server_s", "server_s"), twoWaits(), `are named "in the server"`},
		{allParts(), twice, `two rows are the bar "soft"`},
		{allParts(), waits(), "no rows"},
	} {
		if _, err := newDrawing(c.figure, runner.Tables{"waits": c.table}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestBarsWithTotalsLieWhereTheseWouldMeet(t *testing.T) {
	for n, want := range map[int]bool{4: false, 5: true} {
		table := waits()
		for i := range n {
			table.Rows = append(table.Rows, []string{string(rune('a' + i)), "1", "1", "1", "3", "0"})
		}
		if d, err := newDrawing(allParts(), runner.Tables{"waits": table}); err != nil || d.horizontal != want {
			t.Errorf("%d bars: %v, lie %v, want %v", n, err, d.horizontal, want)
		}
	}
}

// Words without a blank are cut, so that the bars keep a place of their own.
func TestLyingBarsKeepTheirPlaceBesideLongWords(t *testing.T) {
	v := browse(t, render(t, hostileFolder(t), echarts(t)), screen(360, "light")...)
	for _, figure := range []string{"e-parts", "e-cells"} {
		if got := eval[bool](t, v, `(el => [...el.querySelectorAll("svg path")].filter(p => /^#(1f66c1|5b8fd9)$/.test(p.getAttribute("fill"))).map(p => p.getBoundingClientRect())
			.every(b => b.width > 10 && b.left >= el.getBoundingClientRect().left && b.right <= el.getBoundingClientRect().right))(document.querySelector("#`+figure+` .chart"))`); !got {
			t.Errorf("the bars or cells of %s have no place", figure)
		}
	}
	v.clean(t)
}

// Parts two and three have lines of their own over their colour, and so have
// their entries in the legend.
func TestPartsAreToldApartWithoutColour(t *testing.T) {
	all := drawn(t, open(t))
	if got := len(matching(t, all["softdelete-waits.svg"], "path", "stroke", "#ffffff")); got != 3+4+2 {
		t.Errorf("%d shapes have pale lines, want those of 3 and 4 parts and 2 of the legend", got)
	}
	_, text := elements(t, all["softdelete-waits.svg"])
	for _, want := range []string{"in the server", "waiting for locks", "on the network", "3.50 s", "4.20 ms", "1 part n/a", "506 ms", "time of an arm (s)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
}

// A still picture of 3 parts has 66 bars, and their texts at the ends only.
func TestStillOfManyBarsHasTheEndsOfItsBars(t *testing.T) {
	table := waits()
	for i := range 100 {
		table.Rows = append(table.Rows, []string{"arm " + string(rune('a'+i/26)) + string(rune('a'+i%26)), "1", "1", "1", "3", "0"})
	}
	f := allParts()
	f.Name, f.Title = "waits", "Waits"
	o := runner.Outline{Experiment: "e", Title: "E", Figures: []runner.Figure{f}, Tables: []runner.TableOutline{{TableSpec: table.TableSpec, RowsN: 100}}}
	rows := [][]string{{"arm", "server_s", "waiting_s", "network_s", "total_s", "wal"}}
	_, text := elements(t, drawn(t, folder(t, runner.Record{Experiments: []runner.Outline{o}}, map[string][][]string{"e/waits": append(rows, table.Rows...)}))["e-waits.svg"])
	if got := strings.Count(text, "3.00 s"); got != 66 {
		t.Errorf("%d totals, want 66", got)
	}
}

// overlays are the left ends of what is hatched in the page.
const overlays = `[...document.querySelectorAll("#softdelete-waits .chart svg path")].filter(p => p.getAttribute("stroke") === "#ffffff" && p.getAttribute("stroke-width") === "1.5")
	.map(p => Math.round(p.getBoundingClientRect().left)).sort((a, b) => a - b)`

func TestPartsInThePage(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	at := eval[[2]float64](t, v, `(() => { const el = document.querySelector("#softdelete-waits .chart"); el.scrollIntoView();
		const b = el.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height * 0.52]; })()`)
	if err := chromedp.Do(v.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in the server: 4.00 ms", "waiting for locks: n/a", "on the network: 200 µs", "time of an arm: 4.20 ms"} {
		wait(t, v, "document.querySelector(`#softdelete-waits .chart`).textContent.includes(`"+want+"`)")
	}
	v.clean(t)
}

// With its first part hidden a bar begins with the second one, and its total is
// not said of what is left.
func TestHiddenPartLeavesItsPlace(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	const total = `document.querySelector("#softdelete-waits .chart").textContent.includes("3.50 s")`
	before := eval[[]float64](t, v, overlays)
	if len(before) != 7 || !eval[bool](t, v, total) {
		t.Fatalf("%d hatched parts, want 7, and a total", len(before))
	}
	eval[bool](t, v, `document.querySelectorAll("#softdelete-waits .legend button")[0].click(), true`)
	wait(t, v, "!"+total)
	after := eval[[]float64](t, v, overlays)
	if len(after) != 7 || after[2]-after[0] > 2 || before[3]-before[0] < 100 {
		t.Errorf("hatched parts begin at %v px, and at %v px with the first hidden, want three of them at the axis", before, after)
	}
	v.clean(t)
}
