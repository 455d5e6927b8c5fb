package report

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"

	"deletecost/runner"
)

// Charts returns every figure of a results folder as SVG, once on white and
// once, its name ending in -dark, on a dark ground: "softdelete-heap.svg" and
// "softdelete-heap-dark.svg". A picture holds its legend, its intervals and at
// most 200 points, its title and caption, where it comes from and the command
// that makes it again, and refers to nothing outside. echarts is the content of
// echarts.min.js; without it there are no pictures. The same folder and script
// give the same bytes.
//
// A figure that the page says cannot be drawn is left out. It fails when the
// script is none, or when the names of two figures make the same file.
func Charts(f *runner.Folder, echarts []byte) (map[string][]byte, error) {
	all := map[string][]byte{}
	if len(echarts) == 0 {
		return all, nil
	}
	light, dark, err := readColours()
	if err != nil {
		return nil, fmt.Errorf("drawing the figures: %w", err)
	}
	outlines := slices.Clone(f.Record.Experiments)
	account, _ := timeOutline(f.Record)
	for _, o := range append(outlines, account) {
		figures, err := drawFigures(f, o, echarts)
		if err != nil {
			return nil, fmt.Errorf("drawing the figures of %q: %w", o.Experiment, err)
		}
		for _, figure := range figures {
			if figure.picture == nil {
				continue
			}
			name := fileName(figure.Anchor)
			if all[name+".svg"] != nil || all[name+"-dark.svg"] != nil {
				return nil, fmt.Errorf("drawing the figures of %q: two are named %q", o.Experiment, name)
			}
			all[name+".svg"], all[name+"-dark.svg"] = figure.file(light), figure.file(dark)
		}
	}
	return all, nil
}

// drawFigures draws the figures of an experiment, or of the run's account.
func drawFigures(f *runner.Folder, o runner.Outline, echarts []byte) ([]figure, error) {
	var figures []figure
	var err error
	if o.Experiment == wholeRun {
		figures, err = timeFigures(f.Record, true)
	} else {
		figures, err = newFigures(f.Record, o, f.Tables(o.Experiment), newPrints(o), true)
	}
	if err != nil {
		return nil, err
	}
	return figures, drawStills(figures, echarts)
}

var strange = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// longestName is how much of a name a file's has, in bytes.
const longestName = 200

// fileName keeps of a name what every file system takes.
func fileName(name string) string {
	name = strange.ReplaceAllString(name, "_")
	return name[:min(len(name), longestName)]
}

// file is a figure's picture on its own, with the words that the page has around it.
func (f *figure) file(c colours) []byte {
	above, beneath := f.frame.around(c, f.picture.height())
	return []byte(above + f.picture.inner(c) + beneath)
}

// within is a figure's picture for the page, whose colours and font it has.
func (f *figure) within() template.HTML {
	return template.HTML(f.picture.repaint(nil, func(size string) string {
		return `<svg ` + size + ` role="img" aria-label="` + escaped(f.Label) + `" font-size="12">`
	}))
}
