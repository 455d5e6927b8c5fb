package report

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"deletecost/runner"
)

// long is a table of n rows of two arms in turns.
func long(n int) *runner.Table {
	t := &runner.Table{TableSpec: runner.TableSpec{Name: "long", Title: "Long", Columns: []runner.Column{
		{Name: "i"}, {Name: "arm", Text: true}, {Name: "seconds", Unit: "s"}, {Name: "bytes", Unit: "bytes"}}}}
	for i := range n {
		t.Rows = append(t.Rows, []string{strconv.Itoa(i), []string{"soft", "hard"}[i%2], "0.002", "8192"})
	}
	return t
}

func line(x, y, by string) runner.Figure {
	return runner.Figure{Name: "f", Layers: []runner.Layer{{Mark: runner.Line, Table: "long", X: x, Y: y, By: by}}}
}

func TestDrawingThinsLongSeriesAndSaysSo(t *testing.T) {
	d, err := newDrawing(line("i", "seconds", "arm"), runner.Tables{"long": long(2000)})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.series) != 2 || d.series[0].name != "soft" || d.series[1].name != "hard" {
		t.Fatalf("series %+v, want soft and hard", d.series)
	}
	rows := d.series[1].rows
	if len(rows) != 200 || rows[0] != 1 || rows[199] != 1999 {
		t.Errorf("%d rows from %d to %d, want 200 from 1 to 1999", len(rows), rows[0], rows[len(rows)-1])
	}
	if !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 200 {
		t.Error("the rows are not in their order, each once")
	}
	if len(d.notes) != 2 || !strings.Contains(d.notes[0], "200 rows") || !strings.Contains(d.notes[1], "at most 200 points") {
		t.Errorf("notes %q, want one on 200 rows and one on 200 points", d.notes)
	}
}

func TestDrawingLeavesOutWhatDoesNotExist(t *testing.T) {
	table := long(4)
	table.Rows[1][2], table.Rows[2][2] = "n/a", "0"
	f := line("i", "seconds", "")
	f.YLog = true
	d, err := newDrawing(f, runner.Tables{"long": table})
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, p := range d.series[0].points {
		got = append(got, d.value(p)[1])
	}
	if want := []any{2.0, "-", "-", 2.0}; !slices.Equal(got, want) {
		t.Errorf("drawn in %s: %v, want %v in ms", d.y.unit, got, want)
	}
	if len(d.notes) != 2 || !strings.HasPrefix(d.notes[0], "One row is n/a") || !strings.HasPrefix(d.notes[1], "One row is 0 or less") {
		t.Errorf("notes %q, want one on n/a and one on 0", d.notes)
	}
}

func TestDrawingKeepsTheRowsOfItsLayer(t *testing.T) {
	f := line("i", "seconds", "")
	f.Layers[0].Where = map[string]string{"arm": "hard", "bytes": "8192"}
	d, err := newDrawing(f, runner.Tables{"long": long(6)})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.series[0].rows; !slices.Equal(got, []int{1, 3, 5}) {
		t.Errorf("rows %v, want 1, 3 and 5", got)
	}
	if want := []string{"Of the table “Long” those rows are drawn where arm is hard and bytes is 8192."}; !slices.Equal(d.notes, want) {
		t.Errorf("notes %q, want %q", d.notes, want)
	}
}

func TestDrawingRefusesWhatCannotBeDrawn(t *testing.T) {
	two := line("i", "seconds", "")
	two.Layers = append(two.Layers, runner.Layer{Mark: runner.Line, Table: "long", X: "i", Y: "bytes"})
	for _, c := range []struct {
		name   string
		figure runner.Figure
		rows   int
		want   string
	}{
		{"column", line("i", "minutes", ""), 3, `no column "minutes"`},
		{"condition", runner.Figure{Layers: []runner.Layer{{Table: "long", X: "i", Y: "i", Where: map[string]string{"q": "p50"}}}}, 3, `no column "q"`},
		{"no y", line("i", "", ""), 3, `no column ""`},
		{"table", runner.Figure{Layers: []runner.Layer{{Table: "short"}}}, 3, `no table "short"`},
		{"units", two, 3, `"s" and "bytes" up`},
		{"rows", line("i", "seconds", ""), 0, "no rows"},
	} {
		_, err := newDrawing(c.figure, runner.Tables{"long": long(c.rows)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestBarsWithLongWordsLie(t *testing.T) {
	table := long(2)
	f := runner.Figure{Layers: []runner.Layer{{Mark: runner.Bar, Table: "long", X: "arm", Y: "bytes", Low: "bytes", High: "bytes"}}}
	for word, want := range map[string]bool{"soft": false, "soft_delete_orders": true} {
		table.Rows[0][1] = word
		d, err := newDrawing(f, runner.Tables{"long": table})
		if err != nil {
			t.Fatal(err)
		}
		if d.horizontal != want || d.categories[0] != word {
			t.Errorf("%q: lies %v, want %v; categories %q", word, d.horizontal, want, d.categories)
		}
	}
}

func TestChartHoldsScaledValuesAndWhiskers(t *testing.T) {
	f := runner.Figure{Layers: []runner.Layer{{Mark: runner.Bar, Table: "long", X: "arm", Y: "bytes", Low: "bytes", High: "bytes"}}}
	d, err := newDrawing(f, runner.Tables{"long": long(2)})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := d.chart([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(drawn)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Option struct {
			Series []struct {
				Type string
				Data []struct{ Value []float64 }
			}
			XAxis []struct{ Data []string }
			YAxis []struct{ Name string }
		}
		Whiskers []whisker
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	s := c.Option.Series[0]
	if s.Type != "bar" || !slices.Equal(s.Data[1].Value, []float64{1, 8}) {
		t.Errorf("series %+v, want bars with [1, 8] in KiB", s)
	}
	if !slices.Equal(c.Option.XAxis[0].Data, []string{"soft", "hard"}) || c.Option.YAxis[0].Name != "bytes (KiB)" {
		t.Errorf("axes %+v and %+v", c.Option.XAxis, c.Option.YAxis)
	}
	if len(c.Whiskers) != 1 || c.Whiskers[0].Points[1] != [3]float64{1, 8, 8} {
		t.Errorf("whiskers %+v, want one from 8 to 8 at the second bar", c.Whiskers)
	}
}
