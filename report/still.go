package report

import "slices"

// Of a figure without scripts.
const (
	stillWidth  = 720 // pixels
	stillPoints = 200 // of all series together, but at least one of each
)

// still is what page/still.js reads: a chart whose legend is part of it.
type still struct {
	chart
	Legend []entry `json:"legend"`
}

// entry is a name in the legend with its shape; a line has none, it looks like
// itself.
type entry struct {
	Name  string `json:"name"`
	Shape string `json:"shape,omitempty"`
	Hatch int    `json:"hatch,omitempty"` // lines across it
}

func (d *drawing) still(styles []int, legend []key) (still, error) {
	c, err := d.chart(styles)
	out := still{chart: c, Legend: []entry{}}
	for _, k := range legend {
		e := entry{Name: k.Name, Hatch: k.Hatch}
		if k.Line == "" {
			e.Shape = k.Symbol
		}
		out.Legend = append(out.Legend, e)
	}
	return out, err
}

// sparse is the drawing with few enough points for a picture that stays small;
// its axes are those of all points. Cells are few anyway, and a picture without
// some of them would be another one.
func (d *drawing) sparse() *drawing {
	if d.panelled() {
		return d
	}
	out := *d
	out.series = slices.Clone(d.series)
	most := max(1, stillPoints/len(d.series))
	for i := range out.series {
		if s := &out.series[i]; len(s.points) > most {
			s.points = spread(s.points, most)
		}
	}
	return &out
}

// spread keeps n of more points, evenly spaced, the first and last among them.
func spread(points []point, n int) []point {
	kept := make([]point, n)
	for i := range kept {
		kept[i] = points[i*(len(points)-1)/max(1, n-1)]
	}
	return kept
}
