package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"deletecost/runner"
)

// report is the word of that name: it makes the derived files of a results
// folder again, or compares several.
func (p *program) report(ctx context.Context, args []string) (err error) {
	var o options
	names, err := parse(o.reportFlags(), args, p.getenv)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return usagef("report needs a results folder: deletecost report DIR, or several to compare them")
	}
	if err := checkMirror(o.mirror); err != nil {
		return err
	}
	p.tell.quiet = o.quiet
	if err := p.openAnyBundle(ctx, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.source.Close()) }()
	if p.junit, err = openJUnit(o.junit, p.now()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.junit.close(err)) }()
	switch {
	case len(names) > 1 || o.out != "" && isMatrix(names[0]):
		return p.reportSeveral(ctx, o, names)
	case isMatrix(names[0]):
		return p.reportMatrix(ctx, o, names[0])
	case o.out != "":
		return usagef("--out goes with several folders, which are compared: leave it out, the report of one folder is in it")
	}
	return p.reportOne(ctx, o, names[0])
}

// reportOne rebuilds what is made from one results folder.
func (p *program) reportOne(ctx context.Context, o options, named string) error {
	f, err := openResults(named)
	if err != nil {
		return err
	}
	p.junit.hold(f)
	if err := tryWriting(f.Dir); err != nil {
		return derivedError(f.Dir, err)
	}
	charts, err := p.chartsFor(ctx, o, f)
	if err != nil {
		return err
	}
	if err := p.derive(f, charts); err != nil {
		return derivedError(f.Dir, err)
	}
	return p.print(reportOf(f) + "\n")
}

// openResults opens a folder that a run wrote.
func openResults(named string) (*runner.Folder, error) {
	dir, err := filepath.Abs(named)
	if err != nil {
		return nil, usagef("%q is not a results folder: %v: name one that a run wrote", named, err)
	}
	_, err = os.Stat(filepath.Join(dir, "run.json"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, usagef("%q is not a results folder, it has no run.json: name one that a run wrote", named)
	}
	return runner.Open(dir)
}

// chartsFor returns the text of ECharts for a folder and notes in its record
// which one it is. A report that has charts is not replaced by one without.
func (p *program) chartsFor(ctx context.Context, o options, f *runner.Folder) ([]byte, error) {
	script, err := p.findCharts(ctx, o)
	had := f.Record.ECharts
	switch {
	case err == nil:
		if script.Digest != had.Digest {
			f.Record.ECharts = recorded(script)
		}
		return script.JS, nil
	case ctx.Err() != nil, wrongContent(err):
		return nil, err
	case had.Digest == "":
		p.noCharts(err) // the run had none either
		return nil, nil
	}
	if _, missing := os.Stat(reportOf(f)); missing == nil {
		return nil, &chartsError{fmt.Sprintf("%q stays as it is, since its charts could not be drawn again", reportOf(f)), err}
	}
	p.noCharts(err)
	f.Record.ECharts = runner.Script{}
	return nil, nil
}

// tryWriting finds out what permissions alone do not tell.
func tryWriting(dir string) error {
	file, err := os.CreateTemp(dir, ".deletecost-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// derivedError says why the files that are made from a results folder could
// not be: they cannot be written there, or the folder holds what no run wrote.
func derivedError(dir string, err error) error {
	err = fullResults(dir, err)
	switch {
	case is[*shortageError](err):
		return err
	case is[*fs.PathError](err), is[*os.LinkError](err):
		return usagef("results folder %q cannot be written: %v: make it writable, or copy it and name the copy", dir, reason(err))
	}
	return &runner.FolderError{Dir: dir, Err: err}
}

// fullResults names the remedy for a file system that is full of results.
func fullResults(dir string, err error) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return &shortageError{fmt.Sprintf("the file system of %q is full: free space there; what was measured is kept, and deletecost report %[1]q writes the rest", dir)}
}
