package report

import (
	"fmt"
	"math"
	"strconv"

	"deletecost/runner"
)

// densest is how many points a series shows; its table has them all.
const densest = 200

// series is the rows of one layer that share a name.
type series struct {
	name   string
	mark   runner.Mark
	part   int // place among the parts of its bars, from 1; 0: it is no part
	table  *runner.Table
	rows   []int // that are drawn, in the order of the table
	all    int   // rows before thinning
	points []point
}

// point is one row in base units; what does not exist is NaN.
type point struct {
	x            string // the cell
	at           float64
	y, low, high float64
	parts        []float64 // shares of a cell of a heap
	down         string    // the y cell
	value        float64   // of a cell of a heat map
	told         string    // the value of a cell, or of a part of a bar, as people write it
}

// columns are the places of a layer's columns in its table; -1: not used.
type columns struct {
	x, y, by, low, high, value int
	parts                      []int // none: not used
}

func findColumns(l runner.Layer, t *runner.Table) (columns, error) {
	c := columns{y: -1, by: -1, low: -1, high: -1, value: -1}
	for _, want := range []struct {
		name   string
		into   *int
		needed bool
	}{{l.X, &c.x, true}, {l.Y, &c.y, !stacked(l)}, {l.By, &c.by, false}, {l.Low, &c.low, false}, {l.High, &c.high, false},
		{l.Value, &c.value, l.Mark == runner.Heatmap}} {
		if want.name == "" && !want.needed {
			continue
		}
		i := place(t, want.name)
		if i < 0 {
			return c, fmt.Errorf("table %q has no column %q", t.Name, want.name)
		}
		*want.into = i
	}
	for _, name := range l.Parts {
		i := place(t, name)
		if i < 0 {
			return c, fmt.Errorf("table %q has no column %q", t.Name, name)
		}
		c.parts = append(c.parts, i)
	}
	for name := range l.Where {
		if place(t, name) < 0 {
			return c, fmt.Errorf("table %q has no column %q", t.Name, name)
		}
	}
	return c, nil
}

// place is the column's place from 0, or -1.
func place(t *runner.Table, name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// split makes the series of a layer, in the order in which their names appear.
func split(l runner.Layer, t *runner.Table, c columns) []series {
	if stacked(l) {
		return splitParts(l, t, c)
	}
	var all []series
	at := map[string]int{}
	for i, row := range t.Rows {
		if !meets(row, l.Where, t) {
			continue
		}
		name := l.Label
		switch {
		case c.by >= 0 && l.Mark == runner.Heatmap:
			name = axisName(t.Columns[c.value]) + ", " + row[c.by]
		case c.by >= 0:
			name = row[c.by]
		case name == "" && l.Mark == runner.Heatmap:
			name = axisName(t.Columns[c.value])
		case name == "":
			name = axisName(t.Columns[c.y])
		}
		k, ok := at[name]
		if !ok {
			k = len(all)
			at[name] = k
			all = append(all, series{name: name, mark: l.Mark, table: t})
		}
		all[k].rows = append(all[k].rows, i)
	}
	for k := range all {
		all[k].thin()
		all[k].read(c)
	}
	return all
}

// meets says whether a row's cells are those that a layer asks for.
func meets(row []string, where map[string]string, t *runner.Table) bool {
	for name, want := range where {
		if row[place(t, name)] != want {
			return false
		}
	}
	return true
}

// thin keeps at most densest rows, evenly spaced, the first and last among them.
func (s *series) thin() {
	s.all = len(s.rows)
	if s.all <= densest {
		return
	}
	kept := make([]int, densest)
	for i := range kept {
		kept[i] = s.rows[i*(s.all-1)/(densest-1)]
	}
	s.rows = kept
}

func (s *series) read(c columns) {
	for _, i := range s.rows {
		row := s.table.Rows[i]
		p := point{x: row[c.x], at: number(row, c.x), y: number(row, c.y), low: number(row, c.low), high: number(row, c.high)}
		for _, part := range c.parts {
			share := number(row, part)
			if math.IsNaN(share) {
				p.y = share // there is no such cell
			}
			p.parts = append(p.parts, share)
		}
		if s.mark == runner.Heatmap {
			s.readCell(&p, row, c)
		}
		s.points = append(s.points, p)
	}
}

// number reads a cell; n/a, words and absent columns are NaN.
func number(row []string, column int) float64 {
	if column < 0 || column >= len(row) {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
