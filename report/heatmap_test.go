package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"deletecost/runner"
)

// matrix is a table of settings with what they cost.
func matrix(rows ...[]string) *runner.Table {
	return &runner.Table{TableSpec: runner.TableSpec{Name: "matrix", Title: "Matrix", Columns: []runner.Column{{Name: "data_checksums", Text: true},
		{Name: "full_page_writes", Text: true}, {Name: "wal_bytes", Unit: "bytes"}, {Name: "change", Unit: "%"}, {Name: "version", Unit: "rows"}}}, Rows: rows}
}

func settings() *runner.Table {
	return matrix([]string{"off", "off", "1048576", "-50", "16"}, []string{"off", "on", "4194304", "0", "16"},
		[]string{"on", "off", "n/a", "n/a", "16"}, []string{"on", "on", "3145728", "150", "17"})
}

func heatFigure(value string) runner.Figure {
	return runner.Figure{Layers: []runner.Layer{{Mark: runner.Heatmap, Table: "matrix", X: "data_checksums", Y: "full_page_writes", Value: value}}}
}

// Bytes begin at 0, so that 1, 4 and 3 MiB are 0.25, 1 and 0.75 of the
// strongest colour; from -50 to 150 %, 0 is a quarter of the way.
func TestHeatmapColoursFromNothingToTheLargest(t *testing.T) {
	for value, want := range map[string][][]any{
		"wal_bytes": {{0.0, 0.0, 0.25}, {0.0, 1.0, 1.0}, {1.0, 0.0, "-"}, {1.0, 1.0, 0.75}},
		"change":    {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.25}, {1.0, 0.0, "-"}, {1.0, 1.0, 1.0}},
	} {
		d, err := newDrawing(heatFigure(value), runner.Tables{"matrix": settings()})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range d.series[0].points {
			if got := d.heat.cell(p); !slices.Equal(got, want[i]) {
				t.Errorf("%s: cell %d is %v, want %v", value, i, got, want[i])
			}
		}
	}
}

func TestHeatmapTellsItsValues(t *testing.T) {
	d, err := newDrawing(heatFigure("wal_bytes"), runner.Tables{"matrix": settings()})
	if err != nil {
		t.Fatal(err)
	}
	if h := d.heat; h.Across != "data checksums" || h.Down != "full page writes" || h.Value != "wal" || d.series[0].name != "wal" {
		t.Errorf("heat map %+v of the series %q", h, d.series[0].name)
	}
	if want := []string{"1.00 MiB", "4.00 MiB", "n/a", "3.00 MiB"}; !slices.Equal(d.heat.Told[0], want) {
		t.Errorf("the cells say %q, want %q", d.heat.Told[0], want)
	}
	if want := []string{"The colour of a cell grows stronger from 0 bytes to 4.00 MiB.", "One cell is n/a and hatched."}; !slices.Equal(d.notes, want) {
		t.Errorf("notes %q, want %q", d.notes, want)
	}
}

func TestHeatmapByAColumnHasPanelsOfTheSamePlaces(t *testing.T) {
	f := heatFigure("wal_bytes")
	f.Layers[0].By = "version"
	d, err := newDrawing(f, runner.Tables{"matrix": settings()})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.series) != 2 || d.series[0].name != "wal, 16" || d.series[1].name != "wal, 17" {
		t.Fatalf("series %+v, want one of each version", d.series)
	}
	if got := d.heat.cell(d.series[1].points[0]); !slices.Equal(got, []any{1.0, 1.0, 0.75}) {
		t.Errorf("the cell of the second panel is %v, want it in the second column and row, as strong as 3 of 4 MiB", got)
	}
}

func TestHeatmapRefusesWhatIsNone(t *testing.T) {
	log, beside, other, words := heatFigure("wal_bytes"), heatFigure("wal_bytes"), heatFigure("wal_bytes"), heatFigure("full_page_writes")
	log.YLog = true
	beside.Layers = append(beside.Layers, runner.Layer{Mark: runner.Bar, Table: "matrix", X: "data_checksums", Y: "full_page_writes"})
	other.Layers = append(other.Layers, heatFigure("change").Layers...)
	twice, many := settings(), matrix()
	twice.Rows = append(twice.Rows, twice.Rows[0])
	for i := range 201 {
		many.Rows = append(many.Rows, []string{strconv.Itoa(i), "on", "1", "1", "1"})
	}
	for _, c := range []struct {
		figure runner.Figure
		table  *runner.Table
		want   string
	}{
		{log, settings(), "cannot be logarithmic"},
		{beside, settings(), "beside other heat maps only"},
		{other, settings(), "cannot share their colours"},
		{words, settings(), "holds words"},
		{heatFigure(""), settings(), `no column ""`},
		{heatFigure("lost"), settings(), `no column "lost"`},
		{heatFigure("wal_bytes"), twice, `two rows are the cell of "off" and "off"`},
		{heatFigure("wal_bytes"), many, "201 cells, more than 200"},
	} {
		if _, err := newDrawing(c.figure, runner.Tables{"matrix": c.table}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// Between (237, 243, 251) and (91, 143, 217) a third of the way is (188.33,
// 209.67, 239.67) and five sixths (115.33, 159.67, 222.67); dark between (31,
// 41, 52) and (43, 102, 181) they are (35, 61.33, 95) and (41, 91.83, 159.5).
func TestHeatmapCellsAreMixedOfTwoColours(t *testing.T) {
	all := drawn(t, open(t))
	for name, want := range map[string][][3]float64{
		"softdelete-matrix.svg":      {{188.33, 209.67, 239.67}, {115.33, 159.67, 222.67}, {91, 143, 217}},
		"softdelete-matrix-dark.svg": {{35, 61.33, 95}, {41, 91.83, 159.5}, {43, 102, 181}},
	} {
		got := mixes(t, all[name])
		if len(got) != len(want) {
			t.Errorf("%s: %d coloured cells, want %d without the one that is n/a: %v", name, len(got), len(want), got)
			continue
		}
		for i := range want {
			for k := range want[i] {
				if math.Abs(got[i][k]-want[i][k]) > 0.5 {
					t.Errorf("%s: cell %d has the colour %v, want %v", name, i, got[i], want[i])
				}
			}
		}
		_, text := elements(t, all[name])
		for _, said := range []string{"1.00 GiB", "2.50 GiB", "3.00 GiB", "n/a", "WAL written: full page writes", "data checksums"} {
			if !strings.Contains(text, said) {
				t.Errorf("%s does not say %q", name, said)
			}
		}
	}
}

func TestHeatmapSaysItsValuesInThePage(t *testing.T) {
	for _, width := range []int64{360, 1400} {
		v := browse(t, render(t, open(t), echarts(t)), screen(width, "light")...)
		if got := labels(t, v, "softdelete-matrix"); !holds(got, []string{"off", "1.00 GiB", "n/a", "on", "2.50 GiB", "3.00 GiB"}) {
			t.Errorf("%d px: the matrix says %q", width, got)
		}
		at := eval[[2]float64](t, v, `(() => { const el = document.querySelector("#softdelete-matrix .chart"); el.scrollIntoView();
			const b = el.getBoundingClientRect(); return [b.x + b.width * 0.75, b.y + 54]; })()`)
		if err := chromedp.Do(v.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"full page writes: off", "data checksums: on", "WAL written: n/a"} {
			wait(t, v, "document.querySelector(`#softdelete-matrix .chart`).textContent.includes(`"+want+"`)")
		}
		v.clean(t)
	}
}
