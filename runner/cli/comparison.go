package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deletecost/runner"
)

// compareMatrix writes the comparison of the runs of a matrix into its folder.
func (p *program) compareMatrix(dir string, echarts []byte) error {
	m, err := runner.OpenMatrix(dir)
	if err != nil {
		return err
	}
	members, unfinished, err := m.Begun(dir)
	if err != nil {
		return err
	}
	c, err := runner.Compare(members)
	if err != nil {
		return err
	}
	c.Matrix, c.Unfinished = &m, unfinished
	p.junit.hold(foldersOf(members)...)
	if len(members)+len(unfinished) == 0 {
		return nil // there is nothing to say
	}
	return p.writeComparison(c, echarts, filepath.Join(dir, "report.html"), filepath.Join(dir, "comparison.csv"))
}

func (p *program) writeComparison(c *runner.Comparison, echarts []byte, page, table string) error {
	html, err := p.compare(c, echarts)
	if err != nil {
		return err
	}
	return fullResults(filepath.Dir(page), errors.Join(runner.WriteWhole(table, c.CSV()), runner.WriteWhole(page, html)))
}

// isMatrix says whether a folder holds those of several runs.
func isMatrix(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, runner.MatrixFile))
	return err == nil
}

// reportMatrix rebuilds the comparison in the folder of several runs.
func (p *program) reportMatrix(ctx context.Context, o options, named string) error {
	dir, err := filepath.Abs(named)
	if err != nil {
		return usagef("%q is not a results folder: %v: name one that a run wrote", named, err)
	}
	if _, err := runner.OpenMatrix(dir); err != nil {
		return err
	}
	if err := tryWriting(dir); err != nil {
		return derivedError(dir, err)
	}
	page := filepath.Join(dir, "report.html")
	charts, err := p.chartsOf(ctx, o, page)
	if err != nil {
		return err
	}
	if err := p.compareMatrix(dir, charts); err != nil {
		return comparisonError(dir, err)
	}
	if _, err := os.Stat(page); err != nil {
		return usagef("%q holds no run: name a folder that a run wrote", named)
	}
	return p.print(page + "\n")
}

// reportSeveral compares any folders.
func (p *program) reportSeveral(ctx context.Context, o options, named []string) error {
	members, err := openMembers(named)
	if err != nil {
		return err
	}
	p.junit.hold(foldersOf(members)...)
	page, table, err := comparisonFiles(o.out)
	if err != nil {
		return err
	}
	c, err := runner.Compare(members)
	if err != nil {
		return err
	}
	charts, err := p.chartsOf(ctx, o, page)
	if err != nil {
		return err
	}
	if err := p.writeComparison(c, charts, page, table); err != nil {
		return comparisonError(filepath.Dir(page), err)
	}
	return p.print(page + "\n")
}

// comparisonError keeps what is known of a folder and names the remedy for one
// that cannot be written.
func comparisonError(dir string, err error) error {
	if is[*runner.FolderError](err) || is[*runner.MixError](err) {
		return err
	}
	return derivedError(dir, err)
}

// chartsOf returns the text of ECharts for a comparison. One that has charts is
// not replaced by one without.
func (p *program) chartsOf(ctx context.Context, o options, page string) ([]byte, error) {
	script, err := p.findCharts(ctx, o)
	if err == nil || ctx.Err() != nil || wrongContent(err) {
		return script.JS, err
	}
	if _, missing := os.Stat(page); missing == nil {
		return nil, &chartsError{fmt.Sprintf("%q stays as it is, since its charts could not be drawn again", page), err}
	}
	p.noCharts(err)
	return nil, nil
}

// openMembers opens folders that runs wrote, and those in the folders of
// several runs, each once.
func openMembers(named []string) ([]runner.Member, error) {
	var members []runner.Member
	for _, name := range named {
		if !isMatrix(name) {
			f, err := openResults(name)
			if err != nil {
				return nil, err
			}
			members = append(members, runner.Member{Folder: f})
			continue
		}
		dir, err := filepath.Abs(name)
		if err != nil {
			return nil, usagef("%q is not a results folder: %v: name one that a run wrote", name, err)
		}
		m, err := runner.OpenMatrix(dir)
		if err != nil {
			return nil, err
		}
		begun, _, err := m.Begun(dir)
		if err != nil {
			return nil, err
		}
		members = append(members, begun...)
	}
	return members, nameMembers(members)
}

// nameMembers gives each folder the end of its path that tells it from the others.
func nameMembers(members []runner.Member) error {
	for i, m := range members {
		same := func(other runner.Member) bool { return other.Folder.Dir == m.Folder.Dir }
		if slices.ContainsFunc(members[:i], same) {
			return usagef("results folder %q is named twice: name it once", m.Folder.Dir)
		}
	}
	for depth, distinct := 1, 0; distinct < len(members); depth++ {
		names := map[string]bool{}
		for i := range members {
			path := strings.Split(filepath.ToSlash(members[i].Folder.Dir), "/")
			members[i].Name = strings.Join(path[max(0, len(path)-depth):], "/")
			names[members[i].Name] = true
		}
		distinct = len(names)
	}
	return nil
}

// comparisonFiles names the page and its CSV. What is there is replaced only
// when a comparison wrote it.
func comparisonFiles(named string) (page, table string, err error) {
	if named == "" {
		named = "comparison.html"
	}
	if page, err = filepath.Abs(named); err != nil {
		return "", "", usagef("--out %q cannot be written: %v: name another file", named, err)
	}
	ext := filepath.Ext(page)
	if strings.EqualFold(ext, ".csv") {
		return "", "", usagef("--out %q: name an HTML file; its CSV is put beside it", named)
	}
	table = strings.TrimSuffix(page, ext) + ".csv"
	if err := errors.Join(replaceable(page, []byte(pageMark)), replaceable(table, []byte(strings.Join(runner.ComparisonColumns, ",")+"\n"))); err != nil {
		return "", "", err
	}
	if err := tryWriting(filepath.Dir(page)); err != nil {
		return "", "", usagef("--out %q cannot be written: %v: name a file in another folder", named, reason(err))
	}
	return page, table, nil
}

// pageMark is in the head of a comparison's page.
const pageMark = `<meta name="generator" content="deletecost comparison">`

// replaceable says that a file does not exist, or holds a mark near its beginning.
func replaceable(name string, mark []byte) error {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usagef("--out %q cannot be written: %v: name another file", name, reason(err))
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 1024))
	if err != nil || !bytes.Contains(head, mark) {
		return usagef("--out %q exists and is no comparison: name a new file, or remove it", name)
	}
	return nil
}
