package report

import (
	"fmt"
	"strconv"
	"strings"

	"deletecost/runner"
)

// tallest is how many rows a table may have to stand open on the page.
const tallest = 24

// longest is how many rows of a table are printed; its CSV holds them all.
const longest = 200

// table is a table as the page prints it.
type table struct {
	Anchor  string // "" when the same rows are printed further up
	File    string // the CSV, in the results folder
	Title   string
	Note    string
	Columns []column
	Rows    [][]cell
	Leads   bool   // the first column says what a row is
	Shown   string // says which rows are printed, "" for all
	Total   string // how many rows the CSV has
	Reasons []string
	Fold    bool
	Above   string // anchor of the same rows further up, "" otherwise
}

type column struct {
	Name, Unit, Meaning string
	Number              bool
}

// prints remembers what an experiment's part of the page has printed, so that
// no table stands there twice.
type prints struct {
	experiment string
	anchors    map[string]bool
	rows       map[string]string // table and rows drawn: its anchor
	keys       map[string]bool   // columns that come first
	noise      string            // stands beside what was timed, "" when nothing was watched
}

func newPrints(o runner.Outline) *prints {
	return &prints{experiment: o.Experiment, anchors: map[string]bool{}, rows: map[string]string{}, keys: keys(o.Figures)}
}

// anchor gives a table's anchor to whoever prints it first.
func (p *prints) anchor(name string) string {
	file := p.experiment + "/" + name + ".csv"
	if p.anchors[file] {
		return ""
	}
	p.anchors[file] = true
	return file
}

// drawn prints the table of a figure, of a long one the rows that it draws, or
// points at them when an earlier figure has printed them.
func (p *prints) drawn(t *runner.Table, rows []int) table {
	if len(t.Rows) <= longest {
		rows = head(t)
	}
	key := fmt.Sprint(t.Name, rows)
	if above := p.rows[key]; above != "" {
		return table{File: p.experiment + "/" + t.Name + ".csv", Title: t.Title, Above: above}
	}
	out := p.table(t, rows)
	if len(rows) < len(t.Rows) {
		out.Shown = fmt.Sprintf("The %s rows that the figure draws, of %s.", grouped(len(rows)), grouped(len(t.Rows)))
	}
	p.rows[key] = out.Anchor
	return out
}

// rest returns the tables that no figure has printed, and those that are kept
// as CSV only.
func (p *prints) rest(o runner.Outline, ts runner.Tables) (shown, raw []table) {
	for _, outline := range o.Tables {
		t := ts[outline.Name]
		switch {
		case t == nil:
		case t.Raw:
			raw = append(raw, p.table(t, nil))
		case !p.anchors[p.experiment+"/"+t.Name+".csv"]:
			shown = append(shown, p.first(t))
		}
	}
	return shown, raw
}

// first prints a table, a tall one folded and of a long one the first rows.
func (p *prints) first(t *runner.Table) table {
	rows := head(t)
	out := p.table(t, rows)
	out.Fold = len(t.Rows) > tallest
	if len(rows) < len(t.Rows) {
		out.Shown = fmt.Sprintf("The first %s rows of %s.", grouped(len(rows)), grouped(len(t.Rows)))
	}
	return out
}

// head numbers the first rows of a table, at most longest.
func head(t *runner.Table) []int {
	rows := make([]int, min(len(t.Rows), longest))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func (p *prints) table(t *runner.Table, rows []int) table {
	out := table{Anchor: p.anchor(t.Name), File: p.experiment + "/" + t.Name + ".csv", Title: t.Title, Note: t.Note,
		Total: grouped(len(t.Rows)), Reasons: t.Reasons}
	if p.noise != "" && t.Times() {
		out.Note = strings.TrimSpace(out.Note + " " + p.noise)
	}
	places, leading := order(t.Columns, p.keys)
	out.Leads = leading > 0
	for _, j := range places {
		c := t.Columns[j]
		out.Columns = append(out.Columns, column{Name: c.Name, Unit: headerUnit(c.Unit), Meaning: c.Meaning, Number: !c.Text})
	}
	for _, i := range rows {
		row := make([]cell, len(places))
		for k, j := range places {
			row[k] = newCell(t.Rows[i][j], t.Columns[j])
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// grouped writes a whole number with separators.
func grouped(n int) string { return runner.Humanize(strconv.Itoa(n), "") }

// decimal writes a number as a CSV cell does.
func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
