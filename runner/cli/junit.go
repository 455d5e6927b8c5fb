package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"deletecost/runner"
)

// A junitFile is the file of --junit. It is opened before anything is run, so
// that one that cannot be written is told at once, and says at any moment what
// is known of the run. Without the flag it is nil and does nothing.
type junitFile struct {
	name    string
	file    *os.File
	started time.Time
	folders []*runner.Folder
}

// junitHead is enough of a file to know it as JUnit XML.
const junitHead = 512

// openJUnit makes the file, or takes one that an earlier run left: a CI job
// writes to the same name each time. Any other file stays as it is.
func openJUnit(name string, now time.Time) (*junitFile, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		file, err = reopenJUnit(name)
	}
	if is[*usageError](err) {
		return nil, err
	}
	if err != nil {
		return nil, usagef("--junit %q cannot be written: %v: name a file in a folder that exists", name, reason(err))
	}
	j := &junitFile{name: name, file: file, started: now}
	return j, j.write(errors.New("the run was killed before it ended"))
}

func reopenJUnit(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, usagef("--junit %q is not a file: name a new one", name)
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(file, junitHead))
	if err == nil && len(head) > 0 && !bytes.Contains(head, []byte("<testsuite")) {
		err = usagef("--junit %q exists and is not JUnit XML: name a new file, or the one of an earlier run", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// hold says which folders are to be in the file, in the place of those held
// until now.
func (j *junitFile) hold(folders ...*runner.Folder) {
	if j != nil {
		j.folders = folders
	}
}

func foldersOf(members []runner.Member) []*runner.Folder {
	var all []*runner.Folder
	for _, m := range members {
		all = append(all, m.Folder)
	}
	return all
}

// close writes the file; failed is the error that the run ended with. What is
// in the folders already, the errors of experiments and verdicts that differ,
// is not said twice.
func (j *junitFile) close(failed error) error {
	if j == nil {
		return nil
	}
	switch code := exitCode(failed, false); {
	case code == exitDone, code == exitDiffers, code == exitFailed && j.failed():
		failed = nil
	}
	return errors.Join(j.write(failed), j.file.Close())
}

// failed says whether a folder holds an experiment that did.
func (j *junitFile) failed() bool {
	for _, f := range j.folders {
		for _, o := range f.Record.Experiments {
			if o.Error != "" {
				return true
			}
		}
	}
	return false
}

func (j *junitFile) write(failed error) error {
	text, err := runner.JUnit(j.started, failed, j.folders...)
	if err == nil {
		err = j.file.Truncate(0)
	}
	if err == nil {
		_, err = j.file.WriteAt(text, 0)
	}
	if err != nil {
		return fmt.Errorf("writing --junit %q: %w", j.name, err)
	}
	return nil
}
