package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What is read of a results folder, which may come from a stranger, fits in
// memory. A run at the published scale stays far below.
const (
	maxRecord = 64 << 20 // bytes of run.json
	maxPlan   = 4 << 20  // bytes of one plan
	maxBytes  = 2 << 30  // bytes of all files
	maxCells  = 50_000_000
	maxParts  = 2000 // experiments of a run; tables, figures and plans of an experiment
)

// A reader reads the files of one results folder, and none outside of it.
type reader struct {
	root  *os.Root
	bytes int64 // that may still be read
	cells int   // that tables may still have
}

// programName begins the record's Program.
const programName = "deletecost"

// record reads run.json. Older schemas are read, newer ones are refused.
func (r *reader) record() (Record, error) {
	var record Record
	text, err := r.read("run.json", maxRecord)
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return record, jsonError(text, err)
	}
	switch {
	case !strings.HasPrefix(record.Program, programName+" ") || record.Schema < 1:
		return record, fmt.Errorf("run.json is not one of %s", programName)
	case record.Schema > SchemaVersion:
		return record, fmt.Errorf("run.json has schema %d and this program reads up to %d: use the release that wrote it", record.Schema, SchemaVersion)
	case len(record.Experiments) > maxParts:
		return record, fmt.Errorf("run.json has %d experiments, more than the %d that are read", len(record.Experiments), maxParts)
	}
	return record, nil
}

// jsonError says in which line the text is damaged.
func jsonError(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("run.json is damaged: line %d: %w", lineAt(text, syntax.Offset), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("run.json is damaged: line %d: %s is a %s, not a %s", lineAt(text, kind.Offset), quoted(kind.Field), kind.Value, kind.Type)
	}
	return fmt.Errorf("run.json is damaged: %w", err)
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}

// experiment reads the tables of an outline, and its plans into it.
func (r *reader) experiment(o *Outline) (Tables, error) {
	if err := checkOutline(*o); err != nil {
		return nil, err
	}
	tables := Tables{}
	for _, t := range o.Tables {
		table, err := r.table(o.Experiment, t)
		if err != nil {
			return nil, err
		}
		tables[t.Name] = table
	}
	for i, p := range o.Plans {
		text, err := r.read(filepath.Join(o.Experiment, p.Name+".txt"), maxPlan)
		if err != nil {
			return nil, err
		}
		o.Plans[i].Text = string(text)
	}
	return tables, nil
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

func isFileName(name string) bool { return fileName.MatchString(name) && filepath.IsLocal(name) }

// checkOutline refuses names that are none of files in the folder, and those
// that are there twice.
func checkOutline(o Outline) error {
	if !isFileName(o.Experiment) {
		return fmt.Errorf("run.json: experiment %s is not a folder name", quoted(o.Experiment))
	}
	if n := max(len(o.Tables), len(o.Plans), len(o.Figures)); n > maxParts {
		return fmt.Errorf("run.json: experiment %q has %d tables, plans or figures, more than the %d that are read", o.Experiment, n, maxParts)
	}
	var tables, plans []string
	for _, t := range o.Tables {
		tables = append(tables, t.Name)
		if err := checkColumns(t); err != nil {
			return err
		}
	}
	for _, p := range o.Plans {
		plans = append(plans, p.Name)
	}
	return errors.Join(checkNames("table", tables), checkNames("plan", plans))
}

func checkNames(what string, names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		switch {
		case !isFileName(name):
			return fmt.Errorf("run.json: %s %s is not a file name", what, quoted(name))
		case seen[name]:
			return fmt.Errorf("run.json: %s %q is there twice", what, name)
		}
		seen[name] = true
	}
	return nil
}

func checkColumns(t TableOutline) error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("run.json: table %s has no columns", quoted(t.Name))
	}
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if seen[c.Name] {
			return fmt.Errorf("run.json: table %s has column %s twice", quoted(t.Name), quoted(c.Name))
		}
		seen[c.Name] = true
	}
	return nil
}

// read returns a file's bytes.
func (r *reader) read(name string, most int64) ([]byte, error) {
	file, err := r.open(name, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	return text, nil
}

// open opens a regular file; a pipe would not end, and a link out of the folder
// is not followed.
func (r *reader) open(name string, most int64) (*os.File, error) {
	info, err := r.root.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, cause(err))
	}
	most = min(most, r.bytes)
	switch size := info.Size(); {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("reading %q: it is not a file", name)
	case size > most:
		return nil, fmt.Errorf("reading %q: it has %s bytes, more than the %s that are read", name, grouped(float64(size)), grouped(float64(most)))
	default:
		r.bytes -= size
	}
	file, err := r.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, cause(err))
	}
	return file, nil
}

// cause is an error without the name of the file, which the message has.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
