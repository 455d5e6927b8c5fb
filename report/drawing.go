package report

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"deletecost/runner"
)

// drawing is a figure with its rows read and its axes chosen.
type drawing struct {
	series     []series
	x, y       axis
	categories []string // of a category axis, in the order of the rows
	parts      []string // of the cells of a heap, nil where there are none
	cycles     []string // of a heap or of a heat map, from the top down
	heat       *heatmap // of a heat map, nil otherwise
	stack      *stack   // of bars of parts, nil otherwise
	horizontal bool     // values run from left to right, so that long words have room
	notes      []string // what is not drawn as it was measured
}

// newDrawing reads a figure's rows. It fails when a layer names what is not
// there, or when layers do not share their units.
func newDrawing(f runner.Figure, ts runner.Tables) (*drawing, error) {
	d := &drawing{}
	var x, y []runner.Column
	for _, l := range f.Layers {
		t := ts[l.Table]
		if t == nil {
			return nil, fmt.Errorf("there is no table %q", l.Table)
		}
		c, err := findColumns(l, t)
		if err != nil {
			return nil, err
		}
		x, y = append(x, t.Columns[c.x]), append(y, upward(l, t, c))
		d.series = append(d.series, split(l, t, c)...)
		d.noteChoice(l, t)
	}
	if len(d.series) == 0 {
		return nil, errors.New("there are no rows")
	}
	for _, find := range []func(runner.Figure, runner.Tables) error{d.findParts, d.findStack, d.findHeat} {
		if err := find(f, ts); err != nil {
			return nil, err
		}
	}
	if err := d.setAxes(f, x, y); err != nil {
		return nil, err
	}
	return d, d.fill()
}

// noteChoice says which rows of a table a layer draws, when not all.
func (d *drawing) noteChoice(l runner.Layer, t *runner.Table) {
	var conditions []string
	for _, name := range slices.Sorted(maps.Keys(l.Where)) {
		conditions = append(conditions, name+" is "+l.Where[name])
	}
	if len(conditions) == 0 {
		return
	}
	note := fmt.Sprintf("Of the table “%s” those rows are drawn where %s.", t.Title, strings.Join(conditions, " and "))
	if !slices.Contains(d.notes, note) {
		d.notes = append(d.notes, note)
	}
}

func (d *drawing) setAxes(f runner.Figure, x, y []runner.Column) error {
	for i := range x {
		if x[i].Unit != x[0].Unit || y[i].Unit != y[0].Unit {
			return fmt.Errorf("its layers are in different units (%q and %q across, %q and %q up)", x[0].Unit, x[i].Unit, y[0].Unit, y[i].Unit)
		}
	}
	if d.panelled() {
		d.setPanelAxes(x[0], y[0])
		return nil
	}
	across := d.values(func(p point) []float64 { return []float64{p.at} })
	d.x = newAxis(x[0], across)
	d.y = newAxis(y[0], append(d.values(func(p point) []float64 { return []float64{p.y, p.low, p.high} }), d.sums()...))
	for i := range y {
		if y[i].Name != y[0].Name {
			d.y.name = ""
		}
	}
	d.y.log = f.YLog
	d.x.category = slices.ContainsFunc(x, func(c runner.Column) bool { return c.Text }) || d.has(runner.Bar)
	if d.x.category {
		d.x = axis{name: d.x.name, factor: 1, category: true}
		d.findCategories(x[0])
	} else {
		d.x.log = f.XLog
		d.x.few = d.x.distinct(across)
	}
	d.horizontal = d.lies()
	d.findNotes()
	return nil
}

// fill writes down what cells and bars of parts say, when all have their places.
func (d *drawing) fill() error {
	switch {
	case d.heat != nil:
		return d.fillHeat()
	case d.stack != nil:
		return d.fillStack()
	}
	return nil
}

// values collects the numbers that get takes of each point.
func (d *drawing) values(get func(point) []float64) []float64 {
	var all []float64
	for _, s := range d.series {
		for _, p := range s.points {
			for _, v := range get(p) {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

func (d *drawing) has(m runner.Mark) bool {
	return slices.ContainsFunc(d.series, func(s series) bool { return s.mark == m })
}

// findCategories collects the x cells; numbers among them are written as in
// the tables, and then carry their unit themselves.
func (d *drawing) findCategories(c runner.Column) {
	for i := range d.series {
		for j := range d.series[i].points {
			p := &d.series[i].points[j]
			if !c.Text {
				p.x = runner.Humanize(p.x, c.Unit)
			}
			k := slices.Index(d.categories, p.x)
			if k < 0 {
				k = len(d.categories)
				d.categories = append(d.categories, p.x)
			}
			p.at = float64(k)
		}
	}
}

// lies says whether values are drawn from left to right: with long words,
// which have no room beneath upright bars.
func (d *drawing) lies() bool {
	if !d.x.category || d.has(runner.Line) {
		return false
	}
	if d.crowded() {
		return true
	}
	longest := 0
	for _, c := range d.categories {
		longest = max(longest, utf8.RuneCountInString(c))
	}
	return longest > 8 || longest*len(d.categories) > 36
}

func (d *drawing) findNotes() {
	thinned, missing, unplaced, points := 0, 0, 0, 0
	for _, s := range d.series {
		points += len(s.points)
		if len(s.rows) < s.all {
			thinned++
		}
		for _, p := range s.points {
			switch {
			case s.part > 0:
			case math.IsNaN(p.y) || math.IsNaN(p.at):
				missing++
			case !d.y.draws(p.y) || !d.x.draws(p.at) && !d.x.category:
				unplaced++
			}
		}
	}
	if thinned > 0 {
		d.notes = append(d.notes, fmt.Sprintf("Of long series %d rows are drawn, evenly spaced.", densest))
	}
	if points > stillPoints {
		d.notes = append(d.notes, fmt.Sprintf("On paper, without scripts and in the folder charts the figure has at most %d points, evenly spaced over its series.", stillPoints))
	}
	if missing > 0 {
		d.notes = append(d.notes, rowsAre(missing)+" n/a and not drawn.")
	}
	if unplaced > 0 {
		d.notes = append(d.notes, rowsAre(unplaced)+" 0 or less, which has no place on a logarithmic axis, and not drawn.")
	}
}

func rowsAre(n int) string {
	if n == 1 {
		return "One row is"
	}
	return grouped(n) + " rows are"
}
