package report

import (
	"math"

	"deletecost/runner"
)

// mostCells is how many cells all panels have together; more are no picture
// any more.
const mostCells = 200

// Of a figure with the mark heap or heatmap, in pixels.
const (
	panelAbove = 34 // over a panel, for its name
	panelWords = 25 // under the cells, for a line of the axis' words
	panelName  = 25 // under those, for the axis' name
)

// panelled says whether the figure is cells, a panel for each series.
func (d *drawing) panelled() bool { return d.parts != nil || d.heat != nil }

// cells is how many cells there are in all panels.
func (d *drawing) cells() int {
	n := 0
	for _, s := range d.series {
		n += s.all
	}
	return n
}

// cellRow is the height of a row of cells, in pixels.
func (d *drawing) cellRow() int {
	switch {
	case d.heat == nil:
		return heapRow
	case len(d.categories) > heatColumns:
		return heatTallRow
	}
	return heatRow
}

// panelBelow is what a panel needs for the words of its axis, in pixels.
func (d *drawing) panelBelow() int {
	if d.heat != nil {
		return panelWords + 15*(d.heatLines()-1)
	}
	return panelWords
}

// panel is the height of a panel with its name and axis, in pixels.
func (d *drawing) panel() int {
	return panelAbove + d.cellRow()*len(d.cycles) + d.panelBelow() + panelName
}

// setPanelAxes makes a category of each column and of each row of cells.
func (d *drawing) setPanelAxes(x, y runner.Column) {
	d.x = axis{name: axisName(x), factor: 1, category: true}
	d.y = axis{name: axisName(y), factor: 1, category: true}
	d.findCategories(x)
	for i := range d.series {
		for j := range d.series[i].points {
			p := &d.series[i].points[j]
			switch {
			case d.heat != nil && y.Text:
				p.y = float64(d.cycle(p.down))
			case d.heat != nil:
				p.y = float64(d.cycle(runner.Humanize(p.down, y.Unit)))
			case !math.IsNaN(p.y):
				p.y = float64(d.cycle(runner.Humanize(decimal(p.y), y.Unit)))
			}
		}
	}
	d.findNotes()
}

// panelOption describes one panel beneath the other to ECharts, each with axes
// of its own, on which all panels have the same places. cell is what a point
// is drawn from.
func (d *drawing) panelOption(cell func(point) []any) map[string]any {
	var grids, xs, ys, all []map[string]any
	for i, s := range d.series {
		grids = append(grids, map[string]any{"left": "8", "right": "28", "containLabel": true,
			"top": panelAbove + i*d.panel(), "height": d.cellRow()*len(d.cycles) + d.panelBelow()})
		xs = append(xs, map[string]any{"type": "category", "gridIndex": i, "data": d.categories, "name": d.x.label(), "nameLocation": "middle", "nameGap": 26})
		ys = append(ys, map[string]any{"type": "category", "gridIndex": i, "data": d.cycles, "inverse": true,
			"name": s.name + ": " + d.y.label(), "nameLocation": "start", "nameGap": 12})
		cells := [][]any{}
		for _, p := range s.points {
			if d.drawn(p) {
				cells = append(cells, cell(p))
			}
		}
		all = append(all, map[string]any{"name": s.name, "type": "custom", "xAxisIndex": i, "yAxisIndex": i, "data": cells})
	}
	return map[string]any{"grid": grids, "xAxis": xs, "yAxis": ys, "series": all, "legend": map[string]any{"show": false}}
}
