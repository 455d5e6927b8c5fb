package report

import (
	"fmt"
	"slices"
	"strings"

	"deletecost/runner"
)

// side is a table of claims with a column for each group.
type side struct {
	Title string
	Heads []groupHead
	Rows  []sideRow
}

// sideRow is one value of a claim.
type sideRow struct {
	Anchor, ID, Label, Statement string
	Published                    value
	Groups                       []sideGroup
	Relations                    []sideRelation
}

// sideGroup is a value in the runs of a group.
type sideGroup struct {
	Runs    []sideRun
	Between string  // what lies between the runs, "" of a single one
	Exceeds bool    // it is more than within a run
	Verdict verdict // that all runs have, zero otherwise
}

// sideRun is a value in one folder.
type sideRun struct {
	Name     string // "" when it is the only one of its group
	Has      bool
	Value    value
	Interval string
	Why      string  // there is none
	Verdict  verdict // zero when all runs of the group have the same
}

// sideRelation is how a group stands to the first.
type sideRelation struct {
	Name, Symbol, Word, Class, Ratio string
}

var relationSymbols = map[runner.RelationWord]string{runner.Equal: "=", runner.Unequal: "≠", runner.NoDifference: "≈",
	runner.Larger: "▲", runner.Smaller: "▼", runner.Untold: "?", runner.Missing: "–"}

func newSideRows(c *runner.Comparison, experiment string, claim runner.ComparedClaim) []sideRow {
	var all []sideRow
	for j, p := range claim.Parts {
		row := sideRow{ID: claim.Claim.ID, Label: p.Label}
		if j == 0 {
			row.Anchor = experiment + "/" + claim.Claim.ID
			row.Statement, row.Published = claim.Claim.Statement, published(claim.Claim)
		}
		for k, g := range c.Groups {
			row.Groups = append(row.Groups, newSideGroup(c, g, claim, p, p.Spreads[k], j == 0))
		}
		for k := 1; k < len(c.Groups); k++ {
			r := newSideRelation(p.Relations[k])
			if len(c.Groups) > 2 {
				r.Name = c.Groups[k].Name
			}
			row.Relations = append(row.Relations, r)
		}
		all = append(all, row)
	}
	return all
}

// newSideGroup shows verdicts with the first value of a claim, whose they are.
func newSideGroup(c *runner.Comparison, g runner.Group, claim runner.ComparedClaim, p runner.ComparedPart, s runner.Spread, first bool) sideGroup {
	out := sideGroup{Between: between(s), Exceeds: s.Exceeds || len(s.Cells) > 1 && !s.Equal && (s.Counted || !s.Number)}
	var verdicts []verdict
	for _, i := range g.Members {
		run := sideRun{Why: "this folder does not have the claim"}
		if len(g.Members) > 1 {
			run.Name = c.Members[i].Name
		}
		if o := claim.Outcomes[i]; o != nil {
			run.Why, run.Verdict = o.Why, newVerdict(o.Verdict)
		}
		if cell := p.Cells[i]; cell != nil {
			run.Has, run.Value, run.Interval = true, newValue(cell.Text, cell.Unit), interval(*cell)
		}
		verdicts = append(verdicts, run.Verdict)
		out.Runs = append(out.Runs, run)
	}
	if same := len(slices.Compact(verdicts)) == 1; same && first {
		out.Verdict = out.Runs[0].Verdict
	}
	if s.Equal && len(s.Cells) == len(g.Members) && s.Widest == 0 && out.Verdict.Word != "" == first {
		out.Runs = out.Runs[:1] // one stands for all
		out.Runs[0].Name = ""
	}
	for i := range out.Runs {
		if out.Verdict.Word != "" || !first {
			out.Runs[i].Verdict = verdict{}
		}
	}
	return out
}

// between says how far the runs of a group lie apart.
func between(s runner.Spread) string {
	if len(s.Cells) < 2 {
		return ""
	}
	unit := s.Cells[0].Unit
	text := ""
	switch {
	case s.Equal:
		return fmt.Sprintf("equal in %d runs", len(s.Cells))
	case !s.Number:
		return "not the same in all runs"
	case s.Counted:
		text = "not equal: "
	}
	text += "median " + runner.Humanize(decimal(s.Value), unit) + ", runs from " + runner.Humanize(decimal(s.Least), unit) + " to " + runner.Humanize(decimal(s.Most), unit)
	switch {
	case s.Exceeds:
		text += ", further apart than within"
	case s.Widest > 0:
		text += ", no further apart than within"
	}
	if s.Level > 0 {
		text += fmt.Sprintf(" (that range holds the median at %.3g %%)", 100*s.Level)
	}
	return text
}

func newSideRelation(r runner.Relation) sideRelation {
	out := sideRelation{Symbol: relationSymbols[r.Word], Word: string(r.Word), Class: strings.ReplaceAll(string(r.Word), " ", "-")}
	if r.Ratio == 0 || r.Word == runner.Equal {
		return out
	}
	c := runner.Cell{Text: decimal(r.Ratio), Unit: "x"}
	if r.Interval {
		c.Low, c.High = decimal(r.Low), decimal(r.High)
	}
	out.Ratio = c.String()
	return out
}
