package report

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"deletecost/runner"
)

// Of a figure with the mark heap.
const (
	heapCells   = 200 // more are no picture any more
	heapColours = 4   // parts that page/style.css has colours for
	heapRow     = 26  // pixels of a row of cells
	heapAbove   = 34  // pixels over a panel, for its name
	heapBelow   = 50  // pixels under a panel, for its axis
)

// heap is what page/heap.js mixes and says.
type heap struct {
	Parts  []string `json:"parts"`  // what a share is a share of, in the order of the cells
	Across string   `json:"across"` // what runs from left to right
	Down   string   `json:"down"`   // what runs from the top down
}

// findParts names the parts of a figure's cells; nil when it has no cells.
func (d *drawing) findParts(f runner.Figure, ts runner.Tables) error {
	if !d.has(runner.Heap) {
		return nil
	}
	for i, l := range f.Layers {
		if l.Mark != runner.Heap || !slices.Equal(l.Parts, f.Layers[0].Parts) {
			return errors.New("a heap stands in its figure beside others of the same parts only")
		}
		if i > 0 {
			continue
		}
		for _, name := range l.Parts {
			d.parts = append(d.parts, axisName(ts[l.Table].Columns[place(ts[l.Table], name)]))
		}
	}
	if n := len(d.parts); n == 0 || n > heapColours {
		return fmt.Errorf("a heap has 1 to %d parts, not %d", heapColours, n)
	}
	cells := 0
	for _, s := range d.series {
		cells += s.all
	}
	if cells > heapCells {
		return fmt.Errorf("it has %s cells, more than %d", grouped(cells), heapCells)
	}
	return nil
}

// setHeapAxes makes a category of each strip and of each cycle.
func (d *drawing) setHeapAxes(x, y runner.Column) {
	d.x = axis{name: axisName(x), factor: 1, category: true}
	d.y = axis{name: axisName(y), factor: 1, category: true}
	d.findCategories(x)
	for i := range d.series {
		for j := range d.series[i].points {
			if p := &d.series[i].points[j]; !math.IsNaN(p.y) {
				p.y = float64(d.cycle(runner.Humanize(decimal(p.y), y.Unit)))
			}
		}
	}
	d.findNotes()
}

// cycle is the row of a cycle, which it appends when it is new.
func (d *drawing) cycle(name string) int {
	k := slices.Index(d.cycles, name)
	if k < 0 {
		k = len(d.cycles)
		d.cycles = append(d.cycles, name)
	}
	return k
}

// heapOption describes one panel beneath the other to ECharts, each with axes
// of its own, on which all panels have the same places.
func (d *drawing) heapOption() map[string]any {
	var grids, xs, ys, all []map[string]any
	for i, s := range d.series {
		grids = append(grids, map[string]any{"left": "8", "right": "28", "containLabel": true,
			"top": heapAbove + i*d.panel(), "height": heapRow*len(d.cycles) + heapBelow/2})
		xs = append(xs, map[string]any{"type": "category", "gridIndex": i, "data": d.categories, "name": d.x.label(), "nameLocation": "middle", "nameGap": 26})
		ys = append(ys, map[string]any{"type": "category", "gridIndex": i, "data": d.cycles, "inverse": true,
			"name": s.name + ": " + d.y.label(), "nameLocation": "start", "nameGap": 12})
		cells := [][]float64{}
		for _, p := range s.points {
			if d.drawn(p) {
				cells = append(cells, append([]float64{p.at, p.y}, p.parts...))
			}
		}
		all = append(all, map[string]any{"name": s.name, "type": "custom", "xAxisIndex": i, "yAxisIndex": i, "data": cells})
	}
	return map[string]any{"grid": grids, "xAxis": xs, "yAxis": ys, "series": all, "legend": map[string]any{"show": false}}
}

// panel is the height of a panel with its name and axis, in pixels.
func (d *drawing) panel() int { return heapAbove + heapRow*len(d.cycles) + heapBelow }

// partKeys is the legend of the parts, which nothing can hide.
func (d *drawing) partKeys() []key {
	var all []key
	for i, name := range d.parts {
		all = append(all, key{Name: name, Colour: paletteSize + i, Symbol: "bar", Fixed: true})
	}
	return all
}
