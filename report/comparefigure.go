package report

import (
	"fmt"
	"html/template"
	"slices"

	"deletecost/runner"
)

// sideFigure is a figure that several folders have, drawn for each.
type sideFigure struct {
	Anchor, Title, HowToRead string
	Panels                   []panel
}

// panel is a figure in one folder.
type panel struct {
	Name    string
	Mark    mark
	Still   template.HTML // "" when it is not drawn
	Problem string        // why
}

// mostPanels is how many runs are drawn where there is one group.
const mostPanels = 3

// shownFolder is a folder whose figures and tables are shown.
type shownFolder struct {
	member int
	name   string
	mark   mark
}

// foldersShown are the folders whose figures and tables are shown: the first of
// each group, or, of a single group, its first ones.
func foldersShown(c *runner.Comparison, heads []groupHead) []shownFolder {
	var all []shownFolder
	if len(c.Groups) == 1 {
		for n, i := range c.Groups[0].Members {
			if n < mostPanels {
				all = append(all, shownFolder{i, c.Members[i].Name, newMark(0)})
			}
		}
		return all
	}
	for k, g := range c.Groups {
		s := shownFolder{g.Members[0], heads[k].Name, heads[k].Mark}
		if len(g.Members) > 1 {
			s.name += ", " + c.Members[g.Members[0]].Name
		}
		all = append(all, s)
	}
	return all
}

// sideFigures draws the figures that the shown folders share, on the same axes.
func sideFigures(c *runner.Comparison, heads []groupHead, e runner.ComparedExperiment, echarts []byte) ([]sideFigure, error) {
	folders := foldersShown(c, heads)
	colours := palette{}
	var all []sideFigure
	var drawn []figure // of all panels, in order
	for _, f := range figuresOf(e, folders) {
		m := newMultiple(c, e, folders, f)
		if len(m.panels) < min(2, len(folders)) {
			continue
		}
		m.share()
		all = append(all, sideFigure{Anchor: e.Name + "-" + f.Name, Title: f.Title, HowToRead: f.HowToRead, Panels: m.panels})
		drawn = append(drawn, m.figures(colours)...)
	}
	if len(echarts) > 0 {
		if err := drawStills(drawn, echarts); err != nil {
			return nil, err
		}
	}
	for _, f := range all {
		for i := range f.Panels {
			f.Panels[i].fill(&drawn[0])
			drawn = drawn[1:]
		}
	}
	return all, nil
}

// figuresOf lists the figures of an experiment once, as the first folder that
// has one has it.
func figuresOf(e runner.ComparedExperiment, folders []shownFolder) []runner.Figure {
	var all []runner.Figure
	for _, s := range folders {
		if o := e.Outlines[s.member]; o != nil {
			for _, f := range o.Figures {
				if !slices.ContainsFunc(all, func(other runner.Figure) bool { return other.Name == f.Name }) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// multiple is one figure in several folders.
type multiple struct {
	panels   []panel
	titles   []runner.Figure // as each folder has it
	drawings []*drawing      // nil where it cannot be drawn
}

func newMultiple(c *runner.Comparison, e runner.ComparedExperiment, folders []shownFolder, f runner.Figure) *multiple {
	m := &multiple{}
	for _, s := range folders {
		o := e.Outlines[s.member]
		if o == nil {
			continue
		}
		i := slices.IndexFunc(o.Figures, func(own runner.Figure) bool { return own.Name == f.Name })
		if i < 0 {
			continue
		}
		p := panel{Name: s.name, Mark: s.mark}
		d, err := newDrawing(o.Figures[i], c.Members[s.member].Folder.Tables(e.Name))
		if err != nil {
			d, p.Problem = nil, err.Error()
		}
		m.panels, m.titles, m.drawings = append(m.panels, p), append(m.titles, o.Figures[i]), append(m.drawings, d)
	}
	return m
}

// figures describes each panel to ECharts; series keep their style by name
// through all of an experiment.
func (m *multiple) figures(colours palette) []figure {
	all := make([]figure, len(m.panels))
	for i, d := range m.drawings {
		f := &all[i]
		f.Title, f.Problem = m.titles[i].Title, m.panels[i].Problem
		f.Label = m.panels[i].Name + ": " + f.Title + ". " + m.titles[i].HowToRead
		if d == nil {
			continue
		}
		if err := f.describe(d, f.style(d, colours)); err != nil {
			f.Problem = err.Error()
		}
	}
	return all
}

// fill puts the picture into the panel, or why there is none.
func (p *panel) fill(f *figure) {
	switch {
	case f.picture != nil:
		p.Still = f.within()
	case f.Problem != "":
		p.Problem = fmt.Sprintf("This figure cannot be drawn: %s.", f.Problem)
	default:
		p.Problem = "The figure is not drawn, since ECharts could not be had; its numbers are in the tables."
	}
}
