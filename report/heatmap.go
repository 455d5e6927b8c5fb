package report

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"deletecost/runner"
)

// Of a heat map; heights of a row of cells are in pixels.
const (
	heatRow     = 40 // holds two lines of text
	heatTallRow = 68 // holds upright text
	heatColumns = 5  // more have no room for level text on a narrow screen
)

// heatmap is what page/heatmap.js writes into its cells and says of them.
type heatmap struct {
	Across string     `json:"across"` // what runs from left to right
	Down   string     `json:"down"`   // what runs from the top down
	Value  string     `json:"value"`  // what is in a cell
	Told   [][]string `json:"told"`   // of each panel's cells: the value as people write it

	unit      string
	low, high float64 // the values that have the weakest and the strongest colour
}

// findHeat checks the figure's heat maps; it does nothing when it has none.
func (d *drawing) findHeat(f runner.Figure, ts runner.Tables) error {
	if !d.has(runner.Heatmap) {
		return nil
	}
	if f.XLog || f.YLog {
		return errors.New("a heat map has words along its axes, which cannot be logarithmic")
	}
	for i, l := range f.Layers {
		if l.Mark != runner.Heatmap {
			return errors.New("a heat map stands in its figure beside other heat maps only")
		}
		c := ts[l.Table].Columns[place(ts[l.Table], l.Value)]
		switch {
		case c.Text:
			return fmt.Errorf("the column %q holds words, which no colour stands for", l.Value)
		case i == 0:
			d.heat = &heatmap{Value: axisName(c), unit: c.Unit}
		case c.Unit != d.heat.unit || axisName(c) != d.heat.Value:
			return errors.New("its heat maps show different values, which cannot share their colours")
		}
	}
	if cells := d.cells(); cells > mostCells {
		return fmt.Errorf("it has %s cells, more than %d", grouped(cells), mostCells)
	}
	return nil
}

// readCell reads what a heat map needs of a row.
func (s *series) readCell(p *point, row []string, c columns) {
	p.down, p.value = row[c.y], number(row, c.value)
	p.told = runner.Humanize(row[c.value], s.table.Columns[c.value].Unit)
}

// fillHeat finds the ends of the colours, which 0 is one of unless values lie
// on both sides of it, and writes down what is said of each cell.
func (d *drawing) fillHeat() error {
	h := d.heat
	h.Across, h.Down = d.x.label(), d.y.label()
	missing := 0
	for _, s := range d.series {
		told := []string{}
		seen := map[[2]float64]bool{}
		for _, p := range s.points {
			at := [2]float64{p.at, p.y}
			if seen[at] {
				return fmt.Errorf("two rows are the cell of %q and %q", p.x, p.down)
			}
			seen[at] = true
			told = append(told, p.told)
			if math.IsNaN(p.value) {
				missing++
				continue
			}
			h.low, h.high = min(h.low, p.value), max(h.high, p.value)
		}
		h.Told = append(h.Told, told)
	}
	d.noteHeat(missing)
	return nil
}

func (d *drawing) noteHeat(missing int) {
	h := d.heat
	if h.low < h.high {
		d.notes = append(d.notes, fmt.Sprintf("The colour of a cell grows stronger from %s to %s.",
			runner.Humanize(decimal(h.low), h.unit), runner.Humanize(decimal(h.high), h.unit)))
	}
	switch {
	case missing == 1:
		d.notes = append(d.notes, "One cell is n/a and hatched.")
	case missing > 1:
		d.notes = append(d.notes, grouped(missing)+" cells are n/a and hatched.")
	}
}

// cell is what page/heatmap.js draws a cell from: its place and the strength of
// its colour from 0 to 1, "-" where there is no value.
func (h *heatmap) cell(p point) []any {
	switch {
	case math.IsNaN(p.value):
		return []any{p.at, p.y, "-"}
	case h.low == h.high:
		return []any{p.at, p.y, 0}
	}
	return []any{p.at, p.y, seven((p.value - h.low) / (h.high - h.low))}
}

// heatLines is how many lines the words under the cells may take where the
// screen is narrow: page/heatmap.js cuts what is longer.
func (d *drawing) heatLines() int {
	longest := 0
	for _, c := range d.categories {
		longest = max(longest, utf8.RuneCountInString(c))
	}
	const room, letter = 180, 7 // pixels
	return min(3, 1+longest*letter*len(d.categories)/room)
}
