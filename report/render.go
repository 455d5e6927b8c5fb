// Package report writes report.html: a pure function of a results folder that
// talks to no server, reads no clock and needs nothing but the folder and the
// script that draws the figures.
package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"deletecost/runner"
)

// painters are the scripts that draw in the page and without one.
var painters = []string{"page/hatch.js", "page/heap.js", "page/heatmap.js", "page/stack.js", "page/options.js"}

//go:embed page/*.html.tmpl page/*.css page/*.js
var files embed.FS

// Render returns the page for a results folder as one HTML file that requests
// nothing. echarts is the content of echarts.min.js; without it the page says
// in each figure's place that it could not be drawn, and the tables stay; with
// it each figure is there also for print and for readers without scripts. The
// same folder and script give the same bytes.
//
// It fails when a sentence, finding or claim of the folder points at a cell
// that is not there, or when the script cannot be put into a page safely.
func Render(f *runner.Folder, echarts []byte) ([]byte, error) {
	if err := inlinable(echarts); err != nil {
		return nil, fmt.Errorf("rendering the report: the script that draws the figures %w", err)
	}
	p, err := newPage(f, len(echarts) > 0)
	if err != nil {
		return nil, fmt.Errorf("rendering the report: %w", err)
	}
	if err := p.drawStills(echarts); err != nil {
		return nil, fmt.Errorf("rendering the report: %w", err)
	}
	if err := p.inline(echarts); err != nil {
		return nil, fmt.Errorf("rendering the report: %w", err)
	}
	t, err := template.New("page.html.tmpl").ParseFS(files, "page/*.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("rendering the report: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("rendering the report: %w", err)
	}
	return out.Bytes(), nil
}

// inlinable refuses a script that would end its element, or whose digest a
// browser would compute over other bytes than we do.
func inlinable(script []byte) error {
	lower := bytes.ToLower(script)
	for _, bad := range []string{"</script", "<script", "<!--", "\r", "\x00"} {
		if bytes.Contains(lower, []byte(bad)) {
			return fmt.Errorf("holds %q", bad)
		}
	}
	if !utf8.Valid(script) {
		return errors.New("is not UTF-8")
	}
	return nil
}

// inline puts style and scripts into the page and permits them, and nothing
// else, by their digests.
func (p *page) inline(echarts []byte) error {
	css, err := files.ReadFile("page/style.css")
	if err != nil {
		return err
	}
	p.CSS = template.CSS(css)
	policy := []string{"default-src 'none'", "style-src " + digest(css), "img-src data:", "base-uri 'none'", "form-action 'none'"}
	if len(echarts) > 0 {
		boot, err := scripts(append(slices.Clone(painters), "page/charts.js", "page/take.js")...)
		if err != nil {
			return err
		}
		p.Scripts = []template.JS{template.JS(echarts), template.JS(boot)}
		policy = append(policy, "script-src "+digest(echarts)+" "+digest(boot))
	}
	p.Policy = strings.Join(policy, "; ")
	return nil
}

// drawStills puts pictures into the page for print and for readers without
// scripts.
func (p *page) drawStills(echarts []byte) error {
	if len(echarts) == 0 {
		return nil
	}
	light, _, err := readColours()
	if err != nil {
		return err
	}
	all := [][]figure{}
	for _, e := range p.Experiments {
		all = append(all, e.Figures)
	}
	if p.Account != nil {
		all = append(all, p.Account.Figures)
	}
	for _, figures := range all {
		if err := drawStills(figures, echarts); err != nil {
			return err
		}
		for i := range figures {
			if err := figures[i].finish(light); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish gives a figure its picture without scripts and what can be taken of it.
func (f *figure) finish(light colours) (err error) {
	if f.picture != nil {
		f.Still = f.within()
		f.Take, err = f.take(light)
	}
	return err
}

// scripts joins files of ours into one script.
func scripts(names ...string) ([]byte, error) {
	var all []byte
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}

// digest is a source expression of a content security policy.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
