package report

import (
	"maps"
	"slices"
	"testing"

	"deletecost/runner"
)

func TestLegendNamesSeries(t *testing.T) {
	two := line("i", "seconds", "")
	two.Layers = append(two.Layers, runner.Layer{Mark: runner.Points, Table: "long", X: "i", Y: "seconds", Label: "again"})
	labelled := line("i", "seconds", "")
	labelled.Layers[0].Label = "soft"
	for _, c := range []struct {
		figure runner.Figure
		want   []string
	}{
		{line("i", "seconds", ""), nil},
		{labelled, []string{"soft"}},
		{line("i", "seconds", "arm"), []string{"soft", "hard"}},
		{two, []string{"seconds", "again"}},
	} {
		d, err := newDrawing(c.figure, runner.Tables{"long": long(4)})
		if err != nil {
			t.Fatal(err)
		}
		var f figure
		f.style(d, palette{})
		var got []string
		for _, k := range f.Legend {
			got = append(got, k.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: legend %q, want %q", c.figure.Layers, got, c.want)
		}
	}
}

func TestLegendShowsWhatIsDrawn(t *testing.T) {
	for _, c := range []struct {
		mark  runner.Mark
		style int
		want  key
	}{
		{runner.Line, 0, key{Name: "s", Symbol: "circle", Line: "solid"}},
		{runner.Line, 1, key{Name: "s", Colour: 1, Symbol: "rect", Line: "dashed"}},
		{runner.Points, 2, key{Name: "s", Colour: 2, Symbol: "triangle"}},
		{runner.Bar, 3, key{Name: "s", Colour: 3, Symbol: "bar"}},
		{runner.Line, 8, key{Name: "s", Symbol: "rect", Line: "dotted"}},
	} {
		if got := newKey(series{name: "s", mark: c.mark}, c.style); got != c.want {
			t.Errorf("%s of style %d: %+v, want %+v", c.mark, c.style, got, c.want)
		}
	}
}

func TestPaletteKeepsStylesAndTellsSeriesApart(t *testing.T) {
	p := palette{}
	for _, c := range []struct {
		names []string
		want  map[string]int
	}{
		{[]string{"soft", "hard"}, map[string]int{"soft": 0, "hard": 1}},
		{[]string{"published", "corrected"}, map[string]int{"published": 0, "corrected": 1}},
		{[]string{"new", "hard", "soft"}, map[string]int{"new": 2, "hard": 1, "soft": 0}},
		{[]string{"soft", "published", "soft"}, map[string]int{"soft": 0, "published": 1}},
	} {
		if got := p.styles(c.names); !maps.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.names, got, c.want)
		}
	}
}
