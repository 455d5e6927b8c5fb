package report

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"deletecost/runner"
)

// chart is what page/options.js reads: the options of ECharts and what they
// cannot say as data.
type chart struct {
	Option     map[string]any `json:"option"`
	Styles     []int          `json:"styles"` // of each series: place in the palette
	Whiskers   []whisker      `json:"whiskers,omitempty"`
	Bars       int            `json:"bars"`       // series of bars, which share a category's width
	Shifts     []float64      `json:"shifts"`     // of each series: pixels aside, so that points do not cover each other
	Horizontal bool           `json:"horizontal"` // values run from left to right
	Height     int            `json:"height"`     // pixels
	XUnit      string         `json:"xUnit"`
	YUnit      string         `json:"yUnit"`
	XTicks     []float64      `json:"xTicks,omitempty"`  // where the axis from left to right is labelled, none: as ECharts likes
	YTicks     []float64      `json:"yTicks,omitempty"`  // the same from the bottom up
	Heap       *heap          `json:"heap,omitempty"`    // of a figure of heaps
	Heatmap    *heatmap       `json:"heatmap,omitempty"` // of a heat map
	Stack      *stack         `json:"stack,omitempty"`   // of bars of parts
}

// whisker is the intervals of one series.
type whisker struct {
	Series int          `json:"series"`
	Bar    int          `json:"bar"`    // place among the bars, -1: the series has none
	Points [][3]float64 `json:"points"` // x, low, high
}

// chart describes a drawing; styles are places in the palette, one a series.
func (d *drawing) chart(styles []int) (chart, error) {
	c := chart{Styles: styles, Horizontal: d.horizontal, Height: d.height(), XUnit: d.x.unit, YUnit: d.y.unit, Shifts: d.shifts()}
	if d.parts != nil {
		c.Heap = &heap{Parts: d.parts, Across: d.x.label(), Down: d.y.label()}
		c.Option = d.panelOption(heapCell)
		return c, nil
	}
	if d.heat != nil {
		c.Heatmap = d.heat
		c.Option = d.panelOption(d.heat.cell)
		return c, nil
	}
	c.Stack = d.stack
	c.XTicks, c.YTicks = d.x.ticks(), d.y.ticks()
	if d.horizontal {
		c.XTicks, c.YTicks = c.YTicks, nil
	}
	base := charts.NewBar()
	base.SetGlobalOptions(charts.WithAnimation(false), charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}))
	for i, s := range d.series {
		bar := -1
		if s.mark == runner.Bar && s.part <= 1 {
			bar = c.Bars
			c.Bars++
		}
		if err := d.add(base, s, styles[i]); err != nil {
			return c, err
		}
		if w := d.whisker(s); len(w) > 0 {
			c.Whiskers = append(c.Whiskers, whisker{Series: i, Bar: bar, Points: w})
		}
	}
	d.setAxisOptions(base)
	base.Validate()
	c.Option = base.JSON()
	return c, nil
}

// add appends a series; a missing value is "-", which ECharts leaves out.
func (d *drawing) add(base *charts.Bar, s series, style int) error {
	switch s.mark {
	case runner.Bar:
		data := make([]opts.BarData, len(s.points))
		for i, p := range s.points {
			data[i].Value = d.value(p)
		}
		var options []charts.SeriesOpts
		if s.part > 0 {
			options = append(options, charts.WithBarChartOpts(opts.BarChart{Stack: "parts"}))
		}
		base.AddSeries(s.name, data, options...)
	case runner.Line:
		line := charts.NewLine()
		line.AddSeries(s.name, d.lineData(s, style), charts.WithLineStyleOpts(opts.LineStyle{Type: dash(style), Width: 2}),
			charts.WithLineChartOpts(opts.LineChart{Symbol: symbol(style), ShowSymbol: opts.Bool(true)}))
		base.Overlap(line)
	case runner.Points:
		data := make([]opts.ScatterData, len(s.points))
		for i, p := range s.points {
			data[i] = opts.ScatterData{Value: d.value(p), Symbol: symbol(style), SymbolSize: 9}
		}
		points := charts.NewScatter()
		points.AddSeries(s.name, data)
		base.Overlap(points)
	default:
		return fmt.Errorf("there is no mark %q", s.mark)
	}
	return nil
}

// lineData puts a symbol on about twelve points of a line, which tells lines
// apart without colour, and on those without neighbours.
func (d *drawing) lineData(s series, style int) []opts.LineData {
	data := make([]opts.LineData, len(s.points))
	every := max(1, (len(s.points)+11)/12)
	for i, p := range s.points {
		data[i] = opts.LineData{Value: d.value(p), SymbolSize: 7}
		alone := (i == 0 || !d.drawn(s.points[i-1])) && (i == len(s.points)-1 || !d.drawn(s.points[i+1]))
		if len(s.points) > 30 && (i+style)%every != 0 && !alone {
			data[i].Symbol = "none"
		}
	}
	return data
}

func (d *drawing) drawn(p point) bool {
	return d.y.draws(p.y) && d.x.draws(p.at)
}

// value is a point as ECharts takes it: across, then up. A part of a bar that
// is missing keeps its place, so that it can be told.
func (d *drawing) value(p point) []any {
	x, y := any("-"), any("-")
	if d.drawn(p) {
		x, y = d.x.scaled(p.at), d.y.scaled(p.y)
	} else if d.stack != nil && d.x.draws(p.at) {
		x = d.x.scaled(p.at)
	}
	if d.horizontal {
		return []any{y, x}
	}
	return []any{x, y}
}

func (d *drawing) whisker(s series) [][3]float64 {
	var all [][3]float64
	for _, p := range s.points {
		if d.drawn(p) && d.y.draws(p.low) && d.y.draws(p.high) {
			all = append(all, [3]float64{d.x.scaled(p.at), d.y.scaled(p.low), d.y.scaled(p.high)})
		}
	}
	return all
}

// shifts moves the points of one category apart.
func (d *drawing) shifts() []float64 {
	all := make([]float64, len(d.series))
	n := 0
	for _, s := range d.series {
		if s.mark == runner.Points {
			n++
		}
	}
	if !d.x.category || n == 0 {
		return all
	}
	step, k := math.Min(14, 56/float64(n)), 0
	for i, s := range d.series {
		if s.mark == runner.Points {
			all[i] = step * (float64(k) - float64(n-1)/2)
			k++
		}
	}
	return all
}

// height gives lying bars the room that they need.
func (d *drawing) height() int {
	if d.panelled() {
		return len(d.series) * d.panel()
	}
	if !d.horizontal {
		return 360
	}
	bars := 0
	for _, s := range d.series {
		if s.part <= 1 {
			bars += len(s.points)
		}
	}
	return 70 + 22*bars + 24*len(d.categories)
}
