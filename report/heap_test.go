package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"deletecost/runner"
)

var partNames = []string{"active", "removed", "dead", "free"}

// strips is a table of heaps of two tables, that of one with a row less.
func strips(rows ...[]string) *runner.Table {
	return &runner.Table{TableSpec: runner.TableSpec{Name: "strips", Title: "Strips", Columns: []runner.Column{{Name: "of", Text: true}, {Name: "cycle"}, {Name: "strip"},
		{Name: "active"}, {Name: "removed", Meaning: "soft-deleted rows"}, {Name: "dead"}, {Name: "free"}}}, Rows: rows}
}

// mixed has a half active and a quarter each of removed and free, then a whole
// of dead, and a strip that is not there.
func mixed() *runner.Table {
	return strips([]string{"soft", "40", "1", "0.5", "0.25", "0", "0.25"}, []string{"soft", "40", "2", "0", "0", "1", "0"},
		[]string{"hard", "20", "1", "0", "0", "0", "1"}, []string{"hard", "20", "2", "n/a", "n/a", "n/a", "n/a"})
}

func heapFigure() runner.Figure {
	return runner.Figure{Name: "strips", Title: "Strips of heaps", HowToRead: "A cell is a strip.", Layers: []runner.Layer{
		{Mark: runner.Heap, Table: "strips", X: "strip", Y: "cycle", Parts: partNames, Label: "soft", Where: map[string]string{"of": "soft"}},
		{Mark: runner.Heap, Table: "strips", X: "strip", Y: "cycle", Parts: partNames, Label: "hard", Where: map[string]string{"of": "hard"}}}}
}

// heapFolder holds that figure alone.
func heapFolder(t *testing.T, table *runner.Table, figure runner.Figure) *runner.Folder {
	t.Helper()
	var header []string
	for _, c := range table.Columns {
		header = append(header, c.Name)
	}
	o := runner.Outline{Experiment: "e", Title: "E", Question: "?", Figures: []runner.Figure{figure},
		Tables: []runner.TableOutline{{TableSpec: table.TableSpec, RowsN: len(table.Rows)}}}
	return folder(t, runner.Record{Experiments: []runner.Outline{o}}, map[string][][]string{"e/strips": append([][]string{header}, table.Rows...)})
}

var corner = regexp.MustCompile(`^M(\S+ \S+)l`)

// mixes composes the colours that lie on each other at each place of a picture.
func mixes(t *testing.T, svg []byte) [][3]float64 {
	t.Helper()
	var all [][3]float64
	var at []string
	parts, _ := elements(t, svg)
	for _, e := range parts {
		where := corner.FindStringSubmatch(attribute(e, "d"))
		if fill := attribute(e, "fill"); where == nil || !strings.HasPrefix(fill, "#") || attribute(e, "transform") != "" {
			continue
		}
		opacity, err := strconv.ParseFloat(attribute(e, "fill-opacity"), 64)
		if err != nil {
			opacity = 1
		}
		i := slices.Index(at, where[1])
		if i < 0 {
			i = len(at)
			at, all = append(at, where[1]), append(all, [3]float64{})
		}
		var rgb [3]int
		if _, err := fmt.Sscanf(attribute(e, "fill"), "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			t.Fatal(err)
		}
		for k := range rgb {
			all[i][k] = all[i][k]*(1-opacity) + float64(rgb[k])*opacity
		}
	}
	return all
}

// Light: half of (31, 102, 193) and a quarter each of (239, 138, 23) and
// (220, 221, 215) are (130.25, 140.75, 156). Dark: half of (74, 151, 245) and
// a quarter each of (247, 160, 60) and (71, 78, 87) are (116.5, 135, 159.25).
func TestHeapCellsHaveTheMeanOfTheirColours(t *testing.T) {
	all := drawn(t, heapFolder(t, mixed(), heapFigure()))
	for name, want := range map[string][][3]float64{
		"e-strips.svg":      {{130.25, 140.75, 156}, {196, 32, 47}, {220, 221, 215}},
		"e-strips-dark.svg": {{116.5, 135, 159.25}, {240, 82, 95}, {71, 78, 87}},
	} {
		got := mixes(t, all[name])
		if len(got) != len(want) {
			t.Errorf("%s: %d cells, want %d without the strip that is not there: %v", name, len(got), len(want), got)
			continue
		}
		for i := range want {
			for k := range want[i] {
				if math.Abs(got[i][k]-want[i][k]) > 0.5 {
					t.Errorf("%s: cell %d has the colour %v, want %v", name, i, got[i], want[i])
				}
			}
		}
		onlyDrawn(t, name, all[name])
	}
	_, text := elements(t, all["e-strips.svg"])
	for _, want := range []string{"soft: cycle", "hard: cycle", "soft-deleted rows", "active", "dead", "free", "40", "20"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
}

func TestHeapPlacesStripsAndCycles(t *testing.T) {
	d, err := newDrawing(heapFigure(), runner.Tables{"strips": mixed()})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.categories, []string{"1", "2"}) || !slices.Equal(d.cycles, []string{"40", "20"}) {
		t.Errorf("strips %q and cycles %q, want 1, 2 and 40, 20 in the order of the rows", d.categories, d.cycles)
	}
	if hard := d.series[1].points; hard[0].y != 1 || d.drawn(hard[1]) {
		t.Errorf("points %+v, want the first in the second row and the second not drawn", hard)
	}
	if !slices.Contains(d.notes, "One row is n/a and not drawn.") {
		t.Errorf("notes %q, want one on the strip that is not there", d.notes)
	}
}

func TestHeapRefusesWhatIsNone(t *testing.T) {
	other, column, none, many := heapFigure(), heapFigure(), heapFigure(), strips()
	other.Layers[1].Mark = runner.Line
	column.Layers[0].Parts = []string{"lost"}
	none.Layers[0].Parts, none.Layers[1].Parts = nil, nil
	for i := range 201 {
		many.Rows = append(many.Rows, []string{"soft", "1", strconv.Itoa(i), "1", "0", "0", "0"})
	}
	for _, c := range []struct {
		figure runner.Figure
		table  *runner.Table
		want   string
	}{
		{other, mixed(), "of the same parts only"},
		{column, mixed(), `no column "lost"`},
		{none, mixed(), "1 to 4 parts, not 0"},
		{heapFigure(), many, "201 cells, more than 200"},
	} {
		if _, err := newDrawing(c.figure, runner.Tables{"strips": c.table}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestHeapSaysItsSharesInThePage(t *testing.T) {
	v := browse(t, render(t, heapFolder(t, mixed(), heapFigure()), echarts(t)), screen(1400, "light")...)
	if got := eval[[]string](t, v, "[...document.querySelectorAll(`#e-strips .legend span`)].map(s => s.textContent.trim())"); !slices.Equal(got, []string{"active", "soft-deleted rows", "dead", "free"}) {
		t.Errorf("legend %q", got)
	}
	at := eval[[2]float64](t, v, `(() => { const el = document.querySelector("#e-strips .chart"); el.scrollIntoView();
		const b = el.getBoundingClientRect(); return [b.x + b.width / 4, b.y + 47]; })()`)
	if err := chromedp.Do(v.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cycle: 40", "strip: 1", "active: 50 %", "soft-deleted rows: 25 %", "dead: 0 %"} {
		wait(t, v, "document.querySelector(`#e-strips .chart`).textContent.includes(`"+want+"`)")
	}
	v.clean(t)
}
