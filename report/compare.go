package report

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"deletecost/runner"
)

// Compare returns the page that holds results folders against each other as
// one HTML file that requests nothing and has no scripts. echarts is the
// content of echarts.min.js; without it figures that the folders share are not
// drawn, and all else stays. The same comparison and script give the same bytes.
//
// It fails when the script is none.
func Compare(c *runner.Comparison, echarts []byte) ([]byte, error) {
	p := newComparison(c)
	for _, e := range c.Experiments {
		out, err := newCompared(c, p.Heads, e, echarts)
		if err != nil {
			return nil, fmt.Errorf("comparing %q: %w", e.Name, err)
		}
		p.Experiments = append(p.Experiments, out)
	}
	if err := p.inline(); err != nil {
		return nil, fmt.Errorf("rendering the comparison: %w", err)
	}
	t, err := template.New("compare.html.tmpl").ParseFS(files, "page/*.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("rendering the comparison: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("rendering the comparison: %w", err)
	}
	return out.Bytes(), nil
}

// inline puts the style into the page and permits it, and nothing else.
func (p *comparison) inline() error {
	css, err := scripts("page/style.css", "page/compare.css")
	if err != nil {
		return err
	}
	p.CSS = template.CSS(css)
	p.Policy = strings.Join([]string{"default-src 'none'", "style-src " + digest(css), "img-src data:", "base-uri 'none'", "form-action 'none'"}, "; ")
	return nil
}

// compared is one experiment's part of the page.
type compared struct {
	Name, Title, Question string
	side
	Long    []side // claims of many values
	Nowhere []nowhere
	Forests []forest
	Figures []sideFigure
	Tables  []table
}

func newCompared(c *runner.Comparison, heads []groupHead, e runner.ComparedExperiment, echarts []byte) (compared, error) {
	out := compared{Name: e.Name, Title: e.Title, Question: e.Question, side: side{Heads: heads}}
	for _, claim := range e.Claims {
		switch {
		case !measured(claim):
			out.Nowhere = append(out.Nowhere, newNowhere(claim))
		case len(claim.Parts) > fewParts:
			out.Long = append(out.Long, side{Title: claim.Claim.Statement, Heads: heads, Rows: newSideRows(c, e.Name, claim)})
		default:
			out.Rows = append(out.Rows, newSideRows(c, e.Name, claim)...)
		}
	}
	out.Forests = newForests(c, heads, e)
	out.Tables = sideTables(c, heads, e)
	var err error
	out.Figures, err = sideFigures(c, heads, e, echarts)
	return out, err
}

// measured says whether any folder has a value.
func measured(claim runner.ComparedClaim) bool { return len(claim.Parts) > 0 }

// fewParts is the most values of a claim that stand in the table of all.
const fewParts = 4

// nowhere is a claim that no folder has a value for.
type nowhere struct{ ID, Statement, Why string }

func newNowhere(claim runner.ComparedClaim) nowhere {
	n := nowhere{ID: claim.Claim.ID, Statement: claim.Claim.Statement}
	for _, out := range claim.Outcomes {
		if out != nil && n.Why == "" {
			n.Why = out.Why
		}
	}
	return n
}
