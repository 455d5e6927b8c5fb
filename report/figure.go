package report

import (
	"encoding/json"
	"html/template"
	"slices"

	"deletecost/runner"
)

// paletteSize is how many colours page/style.css has for series.
const paletteSize = 8

// figure is one figure with the rows that it draws.
type figure struct {
	Anchor, Title, HowToRead string
	Label                    string // for who does not see it
	Legend                   []key
	Chart                    json.RawMessage // nil: not drawn
	Still                    template.HTML   // the same without scripts, "": not drawn
	still                    json.RawMessage // what page/still.js reads, nil: not drawn
	picture                  picture         // what it makes of it
	Problem                  string          // why it cannot be drawn from its tables, "" otherwise
	Notes                    []string
	Tables                   []table
	Take                     json.RawMessage // what page/take.js copies and saves, nil: nothing
	frame                    frame
	taken                    []takenTable
}

// key is one entry of a legend.
type key struct {
	Name   string
	Colour int    // of the palette, from 0; behind it those of the parts of a heap
	Symbol string // circle, rect, triangle, diamond or bar
	Line   string // solid, dashed or dotted; "" for what is no line
	Hatch  int    // lines across a bar, as in page/hatch.js; 0: none
	Fixed  bool   // nothing can be hidden by it
}

// newKey shows a series as it is drawn.
func newKey(s series, style int) key {
	k := key{Name: s.name, Colour: style % paletteSize, Symbol: symbol(style)}
	switch s.mark {
	case runner.Bar:
		k.Symbol, k.Hatch = "bar", max(0, s.part-1)
	case runner.Line:
		k.Line = dash(style)
	}
	return k
}

// palette keeps the style of a series' name through the figures of an experiment.
type palette map[string]int

// styles gives each name of one figure a style of its own: the one that it had
// before, or else the first that the figure does not use.
func (p palette) styles(names []string) map[string]int {
	own, used := map[string]int{}, map[int]bool{}
	for _, n := range names {
		if s, seen := p[n]; seen && !used[s] {
			own[n], used[s] = s, true
		}
	}
	next := 0
	for _, n := range names {
		if _, done := own[n]; done {
			continue
		}
		for used[next] {
			next++
		}
		own[n], used[next] = next, true
		if _, seen := p[n]; !seen {
			p[n] = next
		}
	}
	return own
}

func newFigures(r runner.Record, o runner.Outline, ts runner.Tables, prints *prints, drawable bool) ([]figure, error) {
	var all []figure
	colours := palette{}
	prints.noise = ts.NoiseNote()
	for _, f := range o.Figures {
		out := figure{Anchor: o.Experiment + "-" + f.Name, Title: f.Title, HowToRead: f.HowToRead, Label: f.Title + ". " + f.HowToRead,
			frame: newFrame(r, o, f)}
		d, err := newDrawing(f, ts)
		if err != nil {
			// The page stays worth reading without one of its figures.
			out.Problem = err.Error()
			all = append(all, out)
			continue
		}
		styles := out.style(d, colours)
		out.Notes = d.notes
		out.Tables, out.taken = d.tables(f, prints)
		if err := out.describe(d, styles); err != nil {
			out.Problem = err.Error()
		}
		if !drawable {
			out.Chart, out.still = nil, nil
		}
		all = append(all, out)
	}
	return all, nil
}

// describe writes down what the scripts draw.
func (f *figure) describe(d *drawing, styles []int) error {
	c, err := d.chart(styles)
	if err != nil {
		return err
	}
	sparse, err := d.sparse().still(styles, f.Legend)
	if err != nil {
		return err
	}
	if f.Chart, err = json.Marshal(c); err != nil {
		return err
	}
	f.still, err = json.Marshal(sparse)
	return err
}

// style gives each series its style and makes the legend; a single series that
// is named as the axis is needs none.
func (f *figure) style(d *drawing, colours palette) []int {
	if d.parts != nil {
		f.Legend = d.partKeys()
		return make([]int, len(d.series))
	}
	if d.heat != nil {
		return make([]int, len(d.series)) // what a cell means is written in it
	}
	var names []string
	for _, s := range d.series {
		names = append(names, s.name)
	}
	own := colours.styles(names)
	styles := make([]int, len(d.series))
	for i, s := range d.series {
		styles[i] = own[s.name]
		k := newKey(s, styles[i])
		if !slices.ContainsFunc(f.Legend, func(other key) bool { return other.Name == k.Name }) {
			f.Legend = append(f.Legend, k)
		}
	}
	if len(f.Legend) == 1 && f.Legend[0].Name == d.y.name {
		f.Legend = nil
	}
	return styles
}

// tables prints the rows that the drawing's series share by table, each table once, and says what of each is drawn.
func (d *drawing) tables(f runner.Figure, prints *prints) ([]table, []takenTable) {
	var order []*runner.Table
	rows := map[string][]int{}
	for _, s := range d.series {
		if rows[s.table.Name] == nil {
			order = append(order, s.table)
		}
		rows[s.table.Name] = append(rows[s.table.Name], s.rows...)
	}
	var all []table
	var taken []takenTable
	for _, t := range order {
		drawn := rows[t.Name]
		slices.Sort(drawn)
		drawn = slices.Compact(drawn)
		out := prints.drawn(t, drawn)
		all = append(all, out)
		taken = append(taken, prints.take(f, t, drawn, out))
	}
	return all, taken
}
