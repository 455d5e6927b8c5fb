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

// sideFigures draws the figures of the first run of each group, or, of a single
// group, those of its first runs.
func sideFigures(c *runner.Comparison, heads []groupHead, e runner.ComparedExperiment, echarts []byte) ([]sideFigure, error) {
	var all []sideFigure
	for _, s := range foldersShown(c, heads) {
		o := e.Outlines[s.member]
		if o == nil {
			continue
		}
		figures, err := drawnFigures(*o, c.Members[s.member].Folder.Tables(e.Name), echarts)
		if err != nil {
			return nil, err
		}
		for _, f := range figures {
			k := slices.IndexFunc(all, func(other sideFigure) bool { return other.Anchor == f.Anchor })
			if k < 0 {
				k = len(all)
				all = append(all, sideFigure{Anchor: f.Anchor, Title: f.Title, HowToRead: f.HowToRead})
			}
			all[k].Panels = append(all[k].Panels, newPanel(s, f))
		}
	}
	few := min(2, len(foldersShown(c, heads)))
	return slices.DeleteFunc(all, func(f sideFigure) bool { return len(f.Panels) < few }), nil
}

// shownFolder is a folder whose figures and tables are shown.
type shownFolder struct {
	member int
	name   string
	mark   mark
}

// foldersShown are the folders whose figures and tables are shown.
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

func drawnFigures(o runner.Outline, ts runner.Tables, echarts []byte) ([]figure, error) {
	figures, err := newFigures(o, ts, newPrints(o), len(echarts) > 0)
	if err != nil || len(echarts) == 0 {
		return figures, err
	}
	return figures, drawStills(figures, echarts)
}

func newPanel(s shownFolder, f figure) panel {
	p := panel{Name: s.name, Mark: s.mark}
	switch {
	case f.picture != nil:
		p.Still = f.within()
	case f.Problem != "":
		p.Problem = fmt.Sprintf("This figure cannot be drawn: %s.", f.Problem)
	default:
		p.Problem = "The figure is not drawn, since ECharts could not be had; its numbers are in the tables."
	}
	return p
}
