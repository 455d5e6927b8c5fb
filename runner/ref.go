package runner

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Ref points at one measured value: a number is stored once, in its table,
// and everything else points there.
type Ref struct {
	Table string `json:"table"`
	Row   int    `json:"row"`             // from 0
	Value string `json:"value"`           // column of the value
	Low   string `json:"low,omitempty"`   // column of its interval's lower end
	High  string `json:"high,omitempty"`  // column of its interval's upper end
	Floor string `json:"floor,omitempty"` // column of the noise floor, a ratio of at least 1
	Label string `json:"label,omitempty"` // tells the parts of one claim apart
}

// Named returns the reference with a label.
func (r Ref) Named(label string) Ref {
	r.Label = label
	return r
}

// A Cell is what a Ref points at.
type Cell struct {
	Text, Low, High string // as in the CSV; Low and High are "" without an interval
	Floor           string // as in the CSV; "" without one
	Unit            string
	Label           string
}

// Number returns the value as a number.
func (c Cell) Number() (float64, bool) { return number(c.Text) }

// Interval returns the ends of the interval, or the value twice where it has none.
func (c Cell) Interval() (low, high float64, ok bool) {
	if c.Low == "" || c.High == "" {
		v, ok := c.Number()
		return v, v, ok
	}
	low, lowOK := number(c.Low)
	high, highOK := number(c.High)
	return low, high, lowOK && highOK
}

// aboveFloor says whether a ratio is further from 1 than the same arm came out
// against itself; without a floor there is nothing to say against it.
func (c Cell) aboveFloor() bool {
	floor, ok := number(c.Floor)
	v, isNumber := c.Number()
	return !ok || !isNumber || math.Abs(math.Log(v)) >= math.Log(floor)
}

func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// Tables finds tables by their names.
type Tables map[string]*Table

// Cell follows a reference.
func (ts Tables) Cell(r Ref) (Cell, error) {
	t, ok := ts[r.Table]
	if !ok {
		return Cell{}, fmt.Errorf("reading %q: no such table", r.Table)
	}
	if r.Row < 0 || r.Row >= len(t.Rows) {
		return Cell{}, fmt.Errorf("reading %s.csv: row %d of %d", r.Table, r.Row, len(t.Rows))
	}
	c := Cell{Label: r.Label}
	for _, at := range []struct {
		column string
		into   *string
	}{{r.Value, &c.Text}, {r.Low, &c.Low}, {r.High, &c.High}, {r.Floor, &c.Floor}} {
		if at.column == "" {
			continue
		}
		i := t.column(at.column)
		if i < 0 || i >= len(t.Rows[r.Row]) {
			return Cell{}, fmt.Errorf("reading %s.csv: no column %q", r.Table, at.column)
		}
		*at.into = t.Rows[r.Row][i]
		if at.column == r.Value {
			c.Unit = t.Columns[i].Unit
		}
	}
	return c, nil
}

func (t *Table) column(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// A Sentence is text with {} where measured values go, in the order of Refs.
type Sentence struct {
	Text string `json:"text"`
	Refs []Ref  `json:"refs,omitempty"`
}

// Say makes a sentence; each {} in text takes the next reference.
func Say(text string, refs ...Ref) Sentence { return Sentence{Text: text, Refs: refs} }

// In returns the sentence with its values read from the tables and scaled for
// people.
func (s Sentence) In(ts Tables) (string, error) {
	if len(s.Refs) == 0 {
		return s.Text, nil // it may be an error's text, with braces of its own
	}
	parts := strings.Split(s.Text, "{}")
	if len(parts) != len(s.Refs)+1 {
		return "", fmt.Errorf("filling %q: %d places for %d values", s.Text, len(parts)-1, len(s.Refs))
	}
	var b strings.Builder
	b.WriteString(parts[0])
	for i, r := range s.Refs {
		c, err := ts.Cell(r)
		if err != nil {
			return "", fmt.Errorf("filling %q: %w", s.Text, err)
		}
		b.WriteString(c.String())
		b.WriteString(parts[i+1])
	}
	return b.String(), nil
}
