package report

import (
	"errors"
	"fmt"
	"slices"

	"deletecost/runner"
)

// Of a figure with the mark heap.
const (
	heapColours = 4  // parts that page/style.css has colours for
	heapRow     = 26 // pixels of a row of cells
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
	if cells := d.cells(); cells > mostCells {
		return fmt.Errorf("it has %s cells, more than %d", grouped(cells), mostCells)
	}
	return nil
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

// heapCell is what page/heap.js draws a cell from: its place, then its shares.
func heapCell(p point) []any {
	cell := []any{p.at, p.y}
	for _, share := range p.parts {
		cell = append(cell, share)
	}
	return cell
}

// partKeys is the legend of the parts, which nothing can hide.
func (d *drawing) partKeys() []key {
	var all []key
	for i, name := range d.parts {
		all = append(all, key{Name: name, Colour: paletteSize + i, Symbol: "bar", Fixed: true})
	}
	return all
}
