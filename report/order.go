package report

import "deletecost/runner"

// keys are the columns that the figures of an experiment go by: those along
// which they draw, and whose values are series.
func keys(figures []runner.Figure) map[string]bool {
	all := map[string]bool{}
	for _, f := range figures {
		for _, l := range f.Layers {
			all[l.X] = true
			if l.Mark == runner.Heatmap {
				all[l.Y] = true
			}
			if l.By != "" {
				all[l.By] = true
			}
		}
	}
	return all
}

// order numbers a table's columns as the page prints them: first the keys and
// the first words, which say what a row is, wherever the CSV has them. leading
// is how many these are.
func order(columns []runner.Column, keys map[string]bool) (places []int, leading int) {
	var rest []int
	begun, ended := false, false
	for i, c := range columns {
		begun = begun || c.Text
		ended = ended || begun && !c.Text
		if keys[c.Name] || c.Text && !ended {
			places = append(places, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(places, rest...), len(places)
}
