package runner

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// NotAvailable is what a cell without a value holds in CSV, table and chart.
const NotAvailable = "n/a"

// NA is a cell for a figure that does not exist, which is not the same as 0.
type NA struct {
	Reason string // why there is none, shown beneath the table
}

// A Column describes one column of a table.
type Column struct {
	Name    string `json:"name"`              // the CSV header
	Unit    string `json:"unit,omitempty"`    // base unit: s, bytes, rows, pages, x (a ratio), %
	Meaning string `json:"meaning,omitempty"` // a phrase for the report and datapackage.json
	Text    bool   `json:"text,omitempty"`    // holds words, not numbers
}

// TableSpec describes a table before it has rows.
type TableSpec struct {
	Name    string   `json:"name"`           // file name without .csv
	Title   string   `json:"title"`          // a heading
	Note    string   `json:"note,omitempty"` // what a reader must know, one or two sentences
	Raw     bool     `json:"raw,omitempty"`  // samples: kept as CSV, not printed in the report
	Columns []Column `json:"columns"`
}

// A Table streams its rows to a CSV file as they are measured and keeps them
// for claims and sentences to point at.
type Table struct {
	TableSpec
	Reasons []string   // why cells are n/a, each once
	Rows    [][]string // as in the CSV

	file    *os.File
	csv     *csv.Writer
	written int   // rows that are whole in the file
	whole   int64 // bytes of the file up to the end of the last whole row
	err     error
}

func createTable(dir string, spec TableSpec) *Table {
	t := &Table{TableSpec: spec}
	t.file, t.err = os.OpenFile(filepath.Join(dir, spec.Name+".csv"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if t.err != nil {
		return t
	}
	t.csv = csv.NewWriter(t.file)
	header := make([]string, len(spec.Columns))
	for i, c := range spec.Columns {
		header[i] = c.Name
	}
	if t.write(header); t.err == nil {
		t.whole, t.err = t.file.Seek(0, io.SeekCurrent)
	}
	return t
}

// Add appends a row, one cell a column, and returns its number from 0. A cell
// is a string, a whole number, a float64, a bool (yes or no), a time.Duration
// (written in seconds), a time.Time or an NA. An error is kept and reported
// when the experiment ends.
func (t *Table) Add(cells ...any) int {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = t.text(c)
	}
	if len(cells) != len(t.Columns) && t.err == nil {
		t.err = fmt.Errorf("adding a row of %d cells to table %q of %d columns", len(cells), t.Name, len(t.Columns))
	}
	if t.write(row); t.err == nil {
		t.whole, t.err = t.file.Seek(0, io.SeekCurrent)
	}
	// A row that could not be written is kept for those that point at it until
	// the experiment ends; close leaves it out, and the file ends before it.
	t.Rows = append(t.Rows, row)
	if t.err == nil {
		t.written = len(t.Rows)
	}
	return len(t.Rows) - 1
}

// Find returns the first row whose cells equal the given ones, by column.
func (t *Table) Find(where map[string]string) (row int, ok bool) {
	for i, cells := range t.Rows {
		fits := true
		for column, want := range where {
			at := t.column(column)
			fits = fits && at >= 0 && cells[at] == want
		}
		if fits {
			return i, true
		}
	}
	return 0, false
}

// RefWhere points at a cell of the first row that has the given words. Where
// there is none, the report says that the row is not there.
func (t *Table) RefWhere(column string, where map[string]string) Ref {
	row, ok := t.Find(where)
	if !ok {
		row = -1
	}
	return t.Ref(row, column)
}

// Text returns a cell as the CSV has it, n/a where there is none.
func (t *Table) Text(row int, column string) string {
	at := t.column(column)
	if row < 0 || row >= len(t.Rows) || at < 0 {
		return NotAvailable
	}
	return t.Rows[row][at]
}

// Ref points at a cell of this table by its row and column.
func (t *Table) Ref(row int, value string) Ref {
	return Ref{Table: t.Name, Row: row, Value: value}
}

// RefRatio points at a ratio with its interval and its noise floor.
func (t *Table) RefRatio(row int, value, low, high, floor string) Ref {
	return Ref{Table: t.Name, Row: row, Value: value, Low: low, High: high, Floor: floor}
}

// RefRange points at a cell with the columns that hold its interval.
func (t *Table) RefRange(row int, value, low, high string) Ref {
	return Ref{Table: t.Name, Row: row, Value: value, Low: low, High: high}
}

// frictionless writes infinity as Frictionless reads it; NaN is the same there.
var frictionless = strings.NewReplacer("+Inf", "INF", "-Inf", "-INF")

func (t *Table) text(cell any) string {
	switch c := cell.(type) {
	case NA:
		t.addReason(c.Reason)
		return NotAvailable
	case string:
		return c
	case bool:
		if c {
			return "yes"
		}
		return "no"
	case float64:
		return frictionless.Replace(strconv.FormatFloat(c, 'f', -1, 64))
	case time.Duration:
		return strconv.FormatFloat(c.Seconds(), 'f', -1, 64)
	case time.Time:
		return c.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(cell)
}

func (t *Table) addReason(reason string) {
	for _, r := range t.Reasons {
		if r == reason {
			return
		}
	}
	t.Reasons = append(t.Reasons, reason)
}

func (t *Table) write(row []string) {
	if t.err != nil {
		return
	}
	if t.err = t.csv.Write(row); t.err == nil {
		t.csv.Flush()
		t.err = t.csv.Error()
	}
}

func (t *Table) close() error {
	t.Rows = t.Rows[:t.written]
	if t.file != nil {
		if t.err != nil {
			t.err = errors.Join(t.err, t.file.Truncate(t.whole))
		}
		if err := t.file.Close(); t.err == nil {
			t.err = err
		}
	}
	if t.err != nil {
		return fmt.Errorf("writing table %q: %w", t.Name, t.err)
	}
	return nil
}
