package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"deletecost/runner"
)

// taking is what page/take.js makes the copies of a figure from, beside the picture and the tables of the page.
type taking struct {
	Name    string       `json:"name"` // of a file, without its ending
	Above   string       `json:"above"`
	Beneath string       `json:"beneath"`
	Title   string       `json:"title"`
	Caption string       `json:"caption"`
	Source  string       `json:"source"`
	Command string       `json:"command"`
	Tables  []takenTable `json:"tables"`
}

// takenTable is what a figure draws of a table that the page prints.
type takenTable struct {
	Title   string `json:"title"`
	Above   string `json:"above,omitempty"` // the anchor of the table; "" when it stands in the figure
	Columns []int  `json:"columns"`         // as printed, from 0
	Rows    []int  `json:"rows,omitempty"`  // as printed, from 0; none: all of them
}

// take is what can be taken of a drawn figure.
func (f *figure) take(light colours) (json.RawMessage, error) {
	above, beneath := f.frame.around(light, f.picture.height())
	text, err := json.Marshal(taking{Name: fileName(f.Anchor), Above: above, Beneath: beneath, Title: f.frame.Title,
		Caption: f.frame.Caption, Source: f.frame.Source, Command: f.frame.Command, Tables: f.taken})
	if err != nil {
		return nil, fmt.Errorf("preparing copies of figure %q: %w", f.Anchor, err)
	}
	return text, nil
}

// take says which columns and rows of a printed table a figure draws.
func (p *prints) take(f runner.Figure, t *runner.Table, drawn []int, printed table) takenTable {
	out := takenTable{Title: t.Title, Above: printed.Above}
	var names []string
	for _, l := range f.Layers {
		if l.Table == t.Name {
			names = append(append(names, l.X, l.Y, l.By, l.Low, l.High, l.Value), l.Parts...)
		}
	}
	places, _ := order(t.Columns, p.keys)
	for k, j := range places {
		if slices.Contains(names, t.Columns[j].Name) {
			out.Columns = append(out.Columns, k)
		}
	}
	if len(t.Rows) <= longest && len(drawn) < len(t.Rows) {
		out.Rows = drawn
	}
	return out
}
