package report

import (
	"regexp"
	"slices"
	"testing"

	"deletecost/runner"
)

var idAttribute = regexp.MustCompile(` id="([^"]*)"`)

// idsOf are the anchors of a page in their order.
func idsOf(html []byte) []string {
	var all []string
	for _, m := range idAttribute.FindAllSubmatch(html, -1) {
		all = append(all, string(m[1]))
	}
	return all
}

func TestAnchorsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range idsOf(render(t, open(t), stub)) {
		if seen[id] {
			t.Errorf("the id %q is there twice", id)
		}
		seen[id] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d ids only", len(seen))
	}
}

// Another run has other values, rows and warnings, and may have a figure more: what both have keeps its anchor.
func TestAnchorsSurviveAnotherRun(t *testing.T) {
	before := idsOf(render(t, open(t), stub))
	f := open(t)
	o := &f.Record.Experiments[0]
	o.Figures = append([]runner.Figure{{Name: "new", Title: "New", Layers: o.Figures[1].Layers}}, o.Figures...)
	o.Warnings = append(o.Warnings, "more")
	for _, table := range f.Tables(o.Experiment) {
		for i, row := range table.Rows {
			for j, c := range table.Columns {
				if !c.Text && row[j] != runner.NotAvailable {
					table.Rows[i][j] = "7"
				}
			}
		}
	}
	after := idsOf(render(t, f, stub))
	for _, id := range before {
		if !slices.Contains(after, id) {
			t.Errorf("the anchor %q is gone", id)
		}
	}
	if !slices.Contains(after, "softdelete-new") {
		t.Error("the new figure has no anchor")
	}
}
