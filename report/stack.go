package report

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"deletecost/runner"
)

// Of bars of parts.
const (
	hatches  = 6 // ways in which page/hatch.js fills a part
	crowd    = 4 // more bars with a total at their ends lie, so that the totals do not meet
	namedOut = 4 // parts that are n/a and named; more are counted
)

// stack is what page/stack.js lays on bars of parts and says of them.
type stack struct {
	Parts  []int      `json:"parts"`  // the series, from 0 on
	Told   [][]string `json:"told"`   // of each part in each category: its value as people write it
	Total  string     `json:"total"`  // what the parts make together, "" where that was not measured
	Totals []string   `json:"totals"` // of each category
	Ends   []string   `json:"ends"`   // of each category: what stands at the end of the bar
	column int        // of the total, -1: none
}

// Lines are those across a bar's glyph, as page/hatch.js draws them, "" for none.
func (k key) Lines() string {
	const rising, falling = "M-6 0L0-6M-6 6L6-6M0 6L6 0", "M-6 0L0 6M-6-6L6 6M0-6L6 0"
	return [hatches]string{"", rising, falling, rising + falling, "M-6-2H6M-6 2H6", "M-2-6V6M2-6V6"}[k.Hatch]
}

// stacked says whether a layer's bars are made of parts.
func stacked(l runner.Layer) bool { return l.Mark == runner.Bar && len(l.Parts) > 0 }

// upward is the column along the axis of values; of bars of parts it is their
// total, measured or not.
func upward(l runner.Layer, t *runner.Table, c columns) runner.Column {
	if !stacked(l) {
		return t.Columns[c.y]
	}
	total := runner.Column{Unit: t.Columns[c.parts[0]].Unit}
	if c.y >= 0 {
		total = t.Columns[c.y]
	}
	if l.Label != "" {
		total.Meaning = l.Label
	}
	return total
}

// splitParts makes a series of each part, all of the same rows.
func splitParts(l runner.Layer, t *runner.Table, c columns) []series {
	whole := series{mark: l.Mark, table: t}
	for i, row := range t.Rows {
		if meets(row, l.Where, t) {
			whole.rows = append(whole.rows, i)
		}
	}
	if len(whole.rows) == 0 {
		return nil
	}
	whole.thin()
	var all []series
	for i, column := range c.parts {
		part := whole
		part.name, part.part = axisName(t.Columns[column]), i+1
		part.read(columns{x: c.x, y: column, by: -1, low: -1, high: -1, value: -1})
		for j, row := range part.rows {
			part.points[j].told = runner.Humanize(t.Rows[row][column], t.Columns[column].Unit)
		}
		all = append(all, part)
	}
	return all
}

// findStack checks the figure's bars of parts; it does nothing when it has none.
func (d *drawing) findStack(f runner.Figure, ts runner.Tables) error {
	bars := 0
	for _, l := range f.Layers {
		if l.Mark == runner.Bar {
			bars++
		}
		if !stacked(l) {
			continue
		}
		t := ts[l.Table]
		if err := stackable(l, t); err != nil {
			return err
		}
		d.stack = &stack{column: place(t, l.Y)}
		if d.stack.column >= 0 {
			d.stack.Total = axisName(upward(l, t, columns{y: d.stack.column, parts: []int{d.stack.column}}))
		}
	}
	switch {
	case d.stack == nil:
		return nil
	case bars > 1:
		return errors.New("bars of parts stand in their figure without other bars")
	case f.YLog:
		return errors.New("bars of parts begin at 0, which has no place on a logarithmic axis")
	}
	for i, s := range d.series {
		if s.part > 0 {
			d.stack.Parts = append(d.stack.Parts, i)
		}
	}
	return nil
}

// stackable says why a layer's parts cannot lie upon one another.
func stackable(l runner.Layer, t *runner.Table) error {
	if n := len(l.Parts); n < 2 || n > hatches {
		return fmt.Errorf("a bar has 2 to %d parts, not %d", hatches, n)
	}
	if l.By != "" || l.Low != "" || l.High != "" {
		return errors.New("bars of parts have neither series nor intervals: name the bars by x, and draw intervals as points")
	}
	names := map[string]bool{}
	unit := t.Columns[place(t, l.Parts[0])].Unit
	for _, name := range append(l.Parts[:len(l.Parts):len(l.Parts)], l.Y) {
		i := place(t, name)
		if i < 0 {
			continue // no total
		}
		c := t.Columns[i]
		switch called := axisName(c); {
		case c.Text:
			return fmt.Errorf("the column %q holds words, which are no part of a bar", name)
		case c.Unit != unit:
			return fmt.Errorf("the parts of its bars are in different units (%q and %q)", unit, c.Unit)
		case names[called]:
			return fmt.Errorf("two parts of its bars are named %q", called)
		default:
			names[called] = true
		}
	}
	return nil
}

// sums are the ends of the bars of parts above and below 0.
func (d *drawing) sums() []float64 {
	if d.stack == nil {
		return nil
	}
	n := len(d.series[d.stack.Parts[0]].points)
	all := make([]float64, 2*n)
	for _, i := range d.stack.Parts {
		for j, p := range d.series[i].points {
			if p.y > 0 {
				all[j] += p.y
			} else if p.y < 0 {
				all[n+j] += p.y
			}
		}
	}
	return all
}

// crowded says whether totals would meet at the ends of upright bars.
func (d *drawing) crowded() bool {
	return d.stack != nil && d.stack.Total != "" && len(d.categories) > crowd
}

// fillStack writes down what is said of each bar.
func (d *drawing) fillStack() error {
	s := d.stack
	n := len(d.categories)
	s.Totals, s.Ends = make([]string, n), make([]string, n)
	missing := make([]int, n)
	var out []string
	for k, i := range s.Parts {
		part := d.series[i]
		s.Told = append(s.Told, make([]string, n))
		for j, p := range part.points {
			at := int(p.at)
			if s.Told[k][at] != "" {
				return fmt.Errorf("two rows are the bar %q", p.x)
			}
			s.Told[k][at] = p.told
			if math.IsNaN(p.y) {
				missing[at]++
				out = append(out, fmt.Sprintf("“%s” of “%s”", part.name, p.x))
			}
			if s.column >= 0 {
				s.Totals[at] = runner.Humanize(part.table.Rows[part.rows[j]][s.column], part.table.Columns[s.column].Unit)
			}
		}
	}
	for at := range s.Ends {
		total := s.Totals[at]
		if len(d.series) > len(s.Parts) {
			total = "" // it would stand upon what is drawn beside
		}
		s.Ends[at] = end(total, missing[at], len(s.Parts))
	}
	d.noteLeftOut(out)
	return nil
}

// end is what stands at the end of a bar: its total, and how many of its parts
// it lacks.
func end(total string, missing, parts int) string {
	var lines []string
	if total != "" {
		lines = append(lines, total)
	}
	switch {
	case missing == parts && total != runner.NotAvailable:
		lines = append(lines, "parts n/a")
	case missing == 1 && missing < parts:
		lines = append(lines, "1 part n/a")
	case missing > 0 && missing < parts:
		lines = append(lines, fmt.Sprintf("%d parts n/a", missing))
	}
	return strings.Join(lines, "\n")
}

// noteLeftOut names the parts that bars lack.
func (d *drawing) noteLeftOut(parts []string) {
	if len(parts) == 0 {
		return
	}
	rest := ""
	if n := len(parts); n > namedOut {
		parts, rest = parts[:namedOut], fmt.Sprintf(" and %s more", grouped(n-namedOut))
	}
	d.notes = append(d.notes, "Left out of their bars, since n/a: "+strings.Join(parts, ", ")+rest+".")
}
