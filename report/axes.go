package report

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// setAxisOptions describes both axes to go-echarts. The value axis carries its
// name at its end, level, where it is read without turning the head.
func (d *drawing) setAxisOptions(base *charts.Bar) {
	grid := opts.Grid{Left: "8", Right: "28", Top: "44", Bottom: "40", ContainLabel: opts.Bool(true)}
	x := opts.XAxis{Type: d.x.kind(), Name: d.x.label(), NameLocation: "middle", NameGap: 30}
	y := opts.YAxis{Type: d.y.kind(), Name: d.y.label(), NameLocation: "end", NameGap: 18, MinInterval: d.y.interval()}
	if d.x.category {
		base.SetXAxis(d.categories)
		x.AxisLabel = &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)}
	} else {
		x.Scale, x.MinInterval = opts.Bool(true), d.x.interval()
		x.AxisLabel = &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)}
	}
	if d.x.log {
		x.Min, x.Max = d.x.bounds()
	}
	if d.y.log {
		y.Min, y.Max = d.y.bounds()
	} else if d.y.top > 0 {
		y.Max = d.y.top
	}
	if d.horizontal {
		base.XYReversal()
		x, y = d.lying(y)
		grid.Top = "12"
	}
	base.SetGlobalOptions(charts.WithGridOpts(grid), charts.WithXAxisOpts(x), charts.WithYAxisOpts(y))
}

// lying swaps the axes: words on the left from the top down, values beneath.
func (d *drawing) lying(values opts.YAxis) (opts.XAxis, opts.YAxis) {
	x := opts.XAxis{Type: values.Type, Name: values.Name, NameLocation: "middle", NameGap: 30, Min: values.Min, Max: values.Max,
		MinInterval: values.MinInterval, AxisLabel: &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)}}
	y := opts.YAxis{Type: "category", Inverse: opts.Bool(true),
		AxisLabel: &opts.AxisLabel{Show: opts.Bool(true), Interval: "0"}}
	return x, y
}

// kind is the axis' type as ECharts names it.
func (a axis) kind() string {
	switch {
	case a.category:
		return "category"
	case a.log:
		return "log"
	}
	return "value"
}

// interval is the least distance of two labels, 0 for any.
func (a axis) interval() float64 {
	if a.whole && !a.log {
		return 1
	}
	return 0
}

// dash and symbol tell series apart where colours do not.
func dash(style int) string {
	return []string{"solid", "dashed", "dotted"}[style%3]
}

func symbol(style int) string {
	return []string{"circle", "rect", "triangle", "diamond"}[(style+style/paletteSize)%4]
}
