package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	r := &reader{root: root, bytes: maxBytes, cells: maxCells}
	if f.Record, err = r.record(); err != nil {
		return err
	}
	for i := range f.Record.Experiments {
		o := &f.Record.Experiments[i]
		if f.tables[o.Experiment] != nil {
			return fmt.Errorf("run.json: experiment %s is there twice", quoted(o.Experiment))
		}
		if f.tables[o.Experiment], err = r.experiment(o); err != nil {
			return err
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
// reader never sees half of it. A link that a stranger's folder has in the place
// of either is replaced and not followed.
func WriteWhole(name string, content []byte) error {
	part := name + ".part"
	err := writeNew(part, content)
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		os.Remove(part)
		return fmt.Errorf("writing %q: %w", name, err)
	}
	return nil
}

func writeNew(name string, content []byte) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
