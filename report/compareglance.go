package report

import (
	"fmt"
	"slices"
	"strings"

	"deletecost/runner"
)

// relationWords are the relations in the order in which they are counted.
var relationWords = []runner.RelationWord{runner.Equal, runner.Unequal, runner.NoDifference, runner.Larger, runner.Smaller, runner.Untold, runner.Missing}

// glances count how each group stands to the first, and its runs to each other.
func glances(c *runner.Comparison) []glance {
	var all []glance
	for k, g := range c.Groups {
		if k > 0 {
			all = append(all, glance{newMark(k), g.Name + " against " + c.Groups[0].Name + ":", countRelations(c, k), differences(c, k)})
		}
		if len(g.Members) > 1 {
			all = append(all, glance{newMark(k), counted(len(g.Members), "run", "runs") + " of " + g.Name + ":", countSpreads(c, k), exceeding(c, k)})
		}
	}
	return all
}

func countRelations(c *runner.Comparison, group int) string {
	n := map[runner.RelationWord]int{}
	eachPart(c, func(p runner.ComparedPart) { n[p.Relations[group].Word]++ })
	var parts []string
	for _, w := range relationWords {
		if n[w] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[w], w))
		}
	}
	if len(parts) == 0 {
		return "no value was measured."
	}
	return strings.Join(parts, ", ") + "."
}

// differences list the claims of which a figure differs from the first group's.
func differences(c *runner.Comparison, group int) []list {
	var all []list
	for _, w := range []runner.RelationWord{runner.Unequal, runner.Larger, runner.Smaller} {
		all = append(all, listed(c, string(w), func(p runner.ComparedPart) bool { return p.Relations[group].Word == w })...)
	}
	return all
}

// exceeding lists the claims of which a figure is not what it was in another
// run of the group, or lies further from it than a run itself knows.
func exceeding(c *runner.Comparison, group int) []list {
	apart := func(p runner.ComparedPart) bool { return p.Spreads[group].Exceeds }
	unequal := func(p runner.ComparedPart) bool {
		s := p.Spreads[group]
		return len(s.Cells) > 1 && !s.Equal && s.Widest == 0 && (s.Counted || !s.Number)
	}
	return append(listed(c, "not equal", unequal), listed(c, "further apart", apart)...)
}

// list is claims that have something in common.
type list struct {
	Head   string
	Claims []claimRef
}

// listed lists the claims that have such a figure, nothing when none has.
func listed(c *runner.Comparison, head string, is func(runner.ComparedPart) bool) []list {
	l := list{Head: head}
	for _, e := range c.Experiments {
		for _, claim := range e.Claims {
			if slices.ContainsFunc(claim.Parts, is) {
				l.Claims = append(l.Claims, claimRef{claim.Claim.ID, e.Name + "/" + claim.Claim.ID, claim.Claim.Statement})
			}
		}
	}
	if len(l.Claims) == 0 {
		return nil
	}
	return []list{l}
}

// countSpreads says how many figures are the same in all runs, and how many lie
// further apart than the runs themselves know.
func countSpreads(c *runner.Comparison, group int) string {
	var exact, equal, sampled, exceeding int
	eachPart(c, func(p runner.ComparedPart) {
		s := p.Spreads[group]
		switch {
		case len(s.Cells) < 2:
		case s.Counted || !s.Number:
			exact++
			if s.Equal {
				equal++
			}
		case s.Widest > 0:
			sampled++
			if s.Exceeds {
				exceeding++
			}
		}
	})
	text := fmt.Sprintf("of %s %d are equal in all of them", counted(exact, "counted figure", "counted figures"), equal)
	if sampled == 0 {
		return text + "."
	}
	return text + fmt.Sprintf("; of %s %d lie further apart between runs than the widest interval within a run is wide.",
		counted(sampled, "figure with an interval", "figures with an interval"), exceeding)
}

func eachPart(c *runner.Comparison, visit func(runner.ComparedPart)) {
	for _, e := range c.Experiments {
		for _, claim := range e.Claims {
			for _, p := range claim.Parts {
				visit(p)
			}
		}
	}
}

// checksums says how the servers that are compared have them.
func checksums(c *runner.Comparison) string {
	on, off, same := c.Checksums()
	if on+off == 0 {
		return ""
	}
	text := "Data checksums are "
	switch {
	case on == 0:
		text += "off on " + counted(off, "server", "servers")
	case off == 0:
		text += "on on " + counted(on, "server", "servers")
	default:
		text += "off on " + counted(off, "server", "servers") + " and on on " + grouped(on)
	}
	if len(c.Groups) < 2 {
		return text + ", set by the experiments and not left to the version's default (18 turns them on)."
	}
	if !same {
		return text + " of the first group, and not the same in the others: what they cost is in the numbers."
	}
	return text + ", the same in all groups: the experiments set them and do not leave them to the version's default (18 turns them on)."
}

// comparisonMethod says how the numbers of the page are made.
func comparisonMethod(c *runner.Comparison) []string {
	var all []string
	if len(c.Groups) > 1 {
		all = append(all, "Differences are to the first column, "+c.Groups[0].Name+". The ratio of two sampled figures has an interval from the intervals of both, "+
			"which come from runs apart: on logarithms, the distances from each figure to the ends of its interval are added as squares "+
			"(variances recovered from intervals, MOVER: Zou and Donner, Statistics in Medicine 27, 2008). Where that interval holds 1 no difference is shown, "+
			"which does not prove that there is none. Of figures that are 0, which have no ratio, the intervals are held against each other.",
			"What is counted and not sampled (rows, pages, bytes, words) has no interval and is equal or not equal. A time that was taken once has no interval either, and nothing tells its difference from chance.")
	}
	all = append(all, "An interval within a run knows nothing of what changes from one run to the next: the order of pages on disk, the state of the machine. "+
		"With one run on each side a difference may be one between runs; --runs 5 shows how large those are.")
	if c.Repeated() {
		all = append(all, "Folders of the same version, binaries, machine, scale, parameters and settings are repeats of one run, on fresh servers. Their figure is the median of the runs. "+
			"Its interval reaches from the lowest to the highest run when there are 5 or more (it holds the true median in 1 − 2^(1−n) of cases), and otherwise from the lowest end to the highest of the runs' own intervals. "+
			"“Further apart than within” means that the lowest and the highest run lie further from each other than the widest interval within a run is wide.")
	}
	return append(all, "Absolute times belong to a machine; ratios, sizes, counts and plans are what compares across machines.")
}
