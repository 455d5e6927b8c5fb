package runner

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"
)

// table reads a CSV back as its outline says that it was written.
func (r *reader) table(experiment string, o TableOutline) (*Table, error) {
	name := filepath.Join(experiment, o.Name+".csv")
	file, err := r.open(name, maxBytes)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	end := &lastByte{in: io.LimitReader(file, maxBytes)}
	rows, err := r.rows(end, o)
	if err == nil && end.last != '\n' {
		err = errors.New("is cut: its last line has no end")
	}
	if err != nil {
		return nil, fmt.Errorf("reading %q %w", name, err)
	}
	return &Table{TableSpec: o.TableSpec, Reasons: o.Reasons, Rows: rows}, nil
}

// lastByte remembers how a stream ends.
type lastByte struct {
	in   io.Reader
	last byte
}

func (b *lastByte) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if n > 0 {
		b.last = p[n-1]
	}
	return n, err
}

func (r *reader) rows(from io.Reader, o TableOutline) ([][]string, error) {
	in := csv.NewReader(from)
	in.FieldsPerRecord = -1 // counted here, to say what is missing
	header, err := in.Read()
	if err != nil {
		return nil, lineError(err)
	}
	if err := checkHeader(header, o.Columns); err != nil {
		return nil, err
	}
	var rows [][]string
	for {
		row, err := in.Read()
		switch {
		case err == io.EOF && len(rows) == o.RowsN:
			return rows, nil
		case err == io.EOF:
			return nil, fmt.Errorf("ends after %d rows, run.json says %d", len(rows), o.RowsN)
		case err != nil:
			return nil, lineError(err)
		}
		line, _ := in.FieldPos(0)
		if len(rows) == o.RowsN {
			return nil, fmt.Errorf("line %d: one row too many, run.json says %d", line, o.RowsN)
		}
		if r.cells -= len(row); r.cells < 0 {
			return nil, fmt.Errorf("line %d: more than the %d cells of a folder that are read", line, maxCells)
		}
		if err := checkRow(row, o.Columns); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		rows = append(rows, row)
	}
}

// lineError is an error of the CSV with its line.
func lineError(err error) error {
	var bad *csv.ParseError
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("line %d: %w", bad.Line, bad.Err)
	case err == io.EOF:
		return errors.New("line 1: there is no header")
	}
	return cause(err)
}

func checkHeader(header []string, columns []Column) error {
	for _, c := range columns {
		if !slices.Contains(header, c.Name) {
			return fmt.Errorf("line 1: column %s is missing", quoted(c.Name))
		}
	}
	for i, name := range header {
		if i >= len(columns) {
			return fmt.Errorf("line 1: column %d, %s, is not in run.json", i+1, quoted(name))
		}
		if name != columns[i].Name {
			return fmt.Errorf("line 1: column %d is %s, run.json says %s", i+1, quoted(name), quoted(columns[i].Name))
		}
	}
	return nil
}

// checkRow wants a cell a column, and a number or n/a wherever a column holds
// numbers.
func checkRow(row []string, columns []Column) error {
	if len(row) != len(columns) {
		return fmt.Errorf("%d cells for %d columns", len(row), len(columns))
	}
	for i, c := range columns {
		if !utf8.ValidString(row[i]) {
			return fmt.Errorf("%s is not UTF-8: %s", quoted(c.Name), quoted(row[i]))
		}
		if _, ok := number(row[i]); !ok && !c.Text && row[i] != NotAvailable {
			return fmt.Errorf("%s is %s, not a number", c.Name, quoted(row[i]))
		}
	}
	return nil
}

// mostQuoted is how much of a stranger's text a message repeats, in bytes.
const mostQuoted = 80

func quoted(text string) string {
	if len(text) > mostQuoted {
		text = text[:mostQuoted] + "…"
	}
	return strconv.Quote(text)
}
