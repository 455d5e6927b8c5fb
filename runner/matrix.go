package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MatrixFile is in a folder that holds results folders of several versions or
// repetitions.
const MatrixFile = "matrix.json"

// A Matrix is matrix.json: what several runs were planned as.
type Matrix struct {
	Schema  int      `json:"schema"` // as in a record
	Program string   `json:"program"`
	Command []string `json:"command"` // the words after the program's name
	Folders []string `json:"folders"` // of the runs, in order, below the one that holds them
}

// Save writes a matrix down in its folder.
func (m Matrix) Save(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", MatrixFile, err)
	}
	return WriteWhole(filepath.Join(dir, MatrixFile), append(text, '\n'))
}

// OpenMatrix reads the folder of several runs. An error is a *FolderError, and
// one that is fs.ErrNotExist when the folder is none of that kind.
func OpenMatrix(dir string) (Matrix, error) {
	var m Matrix
	text, err := os.ReadFile(filepath.Join(dir, MatrixFile))
	if err == nil {
		err = m.read(text)
	}
	if err != nil {
		return m, &FolderError{dir, err}
	}
	return m, nil
}

func (m *Matrix) read(text []byte) error {
	if err := json.Unmarshal(text, m); err != nil {
		return fmt.Errorf("%s is damaged: %w", MatrixFile, err)
	}
	switch {
	case !strings.HasPrefix(m.Program, programName+" "):
		return fmt.Errorf("%s is not one of %s", MatrixFile, programName)
	case m.Schema != SchemaVersion:
		return fmt.Errorf("%s has schema %d and this program reads %d: use the release that wrote it", MatrixFile, m.Schema, SchemaVersion)
	}
	for _, name := range m.Folders {
		if name == "." || !filepath.IsLocal(name) || filepath.Base(name) != name {
			return fmt.Errorf("%s: %q is not the name of a folder in it", MatrixFile, name)
		}
	}
	return nil
}

// Begun opens the folders of a matrix in which a run has begun: those whose
// runs have ended as members, the others by their names.
func (m Matrix) Begun(dir string) (members []Member, unfinished []string, err error) {
	for _, name := range m.Folders {
		sub := filepath.Join(dir, name)
		if _, err := os.Stat(filepath.Join(sub, "run.json")); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f, err := Open(sub)
		switch {
		case err != nil:
			return nil, nil, err
		case f.Finished():
			members = append(members, Member{Name: name, Folder: f})
		default:
			unfinished = append(unfinished, name)
		}
	}
	return members, unfinished, nil
}
