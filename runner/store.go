package runner

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Folder is a results folder: run.json, one folder an experiment, and what
// is derived from them.
type Folder struct {
	Dir    string
	Record Record
	tables map[string]Tables // by experiment
}

// Tables returns an experiment's tables.
func (f *Folder) Tables(experiment string) Tables { return f.tables[experiment] }

// Outcomes reads and judges an experiment's findings.
func (f *Folder) Outcomes(o Outline) ([]Outcome, error) {
	all := make([]Outcome, 0, len(o.Findings))
	for _, finding := range o.Findings {
		outcome, err := finding.Outcome(f.tables[o.Experiment])
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", filepath.Join(f.Dir, o.Experiment), err)
		}
		all = append(all, outcome)
	}
	return all, nil
}

// A FolderError says why a folder cannot be read as results.
type FolderError struct {
	Dir string
	Err error
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("opening results folder %q: %v: name a folder that a run wrote", e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *FolderError) Unwrap() error { return e.Err }

// Open reads a results folder back. Every error is a *FolderError.
func Open(dir string) (*Folder, error) {
	f := &Folder{Dir: dir, tables: map[string]Tables{}}
	if err := f.open(); err != nil {
		return nil, &FolderError{dir, err}
	}
	return f, nil
}

func (f *Folder) open() error {
	text, err := os.ReadFile(filepath.Join(f.Dir, "run.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &f.Record); err != nil {
		return fmt.Errorf("run.json is damaged: %w", err)
	}
	switch {
	case !strings.HasPrefix(f.Record.Program, programName+" "):
		return fmt.Errorf("run.json is not one of %s", programName)
	case f.Record.Schema != SchemaVersion:
		return fmt.Errorf("run.json has schema %d and this program reads %d: use the release that wrote it", f.Record.Schema, SchemaVersion)
	}
	for i := range f.Record.Experiments {
		if err := f.read(&f.Record.Experiments[i]); err != nil {
			return err
		}
	}
	return nil
}

// programName begins the record's Program.
const programName = "deletecost"

func (f *Folder) read(o *Outline) error {
	if !filepath.IsLocal(o.Experiment) {
		return fmt.Errorf("run.json: experiment %q is not a folder name", o.Experiment)
	}
	dir := filepath.Join(f.Dir, o.Experiment)
	f.tables[o.Experiment] = Tables{}
	for _, t := range o.Tables {
		table, err := readTable(dir, t)
		if err != nil {
			return err
		}
		f.tables[o.Experiment][t.Name] = table
	}
	for i, p := range o.Plans {
		if !filepath.IsLocal(p.Name) {
			return fmt.Errorf("run.json: plan %q is not a file name", p.Name)
		}
		text, err := os.ReadFile(filepath.Join(dir, p.Name+".txt"))
		if err != nil {
			return fmt.Errorf("reading plan %q: %w", p.Name, err)
		}
		o.Plans[i].Text = string(text)
	}
	return nil
}

func readTable(dir string, o TableOutline) (*Table, error) {
	if !filepath.IsLocal(o.Name) {
		return nil, fmt.Errorf("run.json: table %q is not a file name", o.Name)
	}
	name := filepath.Join(dir, o.Name+".csv")
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading table %q: %w", o.Name, err)
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.FieldsPerRecord = len(o.Columns)
	rows, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	if len(rows) != o.RowsN+1 {
		return nil, fmt.Errorf("reading %q: %d lines, run.json says %d", name, len(rows), o.RowsN+1)
	}
	for i, c := range o.Columns {
		if rows[0][i] != c.Name {
			return nil, fmt.Errorf("reading %q line 1: column %d is %q, run.json says %q", name, i+1, rows[0][i], c.Name)
		}
	}
	t := &Table{TableSpec: o.TableSpec, Reasons: o.Reasons, Rows: rows[1:]}
	if err := t.checkNumbers(); err != nil {
		return nil, fmt.Errorf("reading %q %w", name, err)
	}
	return t, nil
}

// checkNumbers wants a number or n/a wherever a column holds numbers.
func (t *Table) checkNumbers() error {
	for i, row := range t.Rows {
		for j, c := range t.Columns {
			if _, ok := number(row[j]); !ok && !c.Text && row[j] != NotAvailable {
				return fmt.Errorf("line %d: %s is %q, not a number", i+2, c.Name, row[j])
			}
		}
	}
	return nil
}

// save writes run.json so that at any moment the file is whole.
func (f *Folder) save() error {
	text, err := json.MarshalIndent(f.Record, "", "  ")
	if err != nil {
		return fmt.Errorf("writing run.json: %w", err)
	}
	return WriteWhole(filepath.Join(f.Dir, "run.json"), append(text, '\n'))
}

// WriteWhole writes a file under a temporary name and renames it, so that a
// reader never sees half of it.
func WriteWhole(name string, content []byte) error {
	part := name + ".part"
	err := os.WriteFile(part, content, 0o644)
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		os.Remove(part)
		return fmt.Errorf("writing %q: %w", name, err)
	}
	return nil
}
