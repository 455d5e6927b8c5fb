package runner

import (
	"fmt"
	"slices"
)

// A ComparedClaim is one published claim in several folders.
type ComparedClaim struct {
	Claim    Claim      // as the first folder that has it has it
	Outcomes []*Outcome // by member, nil where the folder does not have the claim
	Parts    []ComparedPart
}

// A ComparedPart is one measured value of a claim in several folders.
type ComparedPart struct {
	Label     string
	Unit      string     // base unit
	Cells     []*Cell    // by member, nil where it was not measured
	Spreads   []Spread   // by group
	Relations []Relation // by group, to the first; that of the first itself is zero
}

// compareClaims puts the outcomes of an experiment's claims side by side.
func (c *Comparison) compareClaims(experiment string) []ComparedClaim {
	var all []ComparedClaim
	for i, m := range c.Members {
		for _, out := range m.claimsOf(experiment) {
			k := slices.IndexFunc(all, func(other ComparedClaim) bool { return other.Claim.ID == out.Claim.ID })
			if k < 0 {
				k = len(all)
				all = append(all, ComparedClaim{Claim: out.Claim, Outcomes: make([]*Outcome, len(c.Members))})
			}
			all[k].Outcomes[i] = &out
		}
	}
	for k := range all {
		all[k].addParts(len(c.Members))
		for j := range all[k].Parts {
			c.relate(&all[k].Parts[j])
		}
	}
	return all
}

// claimsOf are the outcomes of one experiment. A claim's own Experiment may be
// whatever the folder's record says.
func (m Member) claimsOf(experiment string) []Outcome {
	rest := m.Claims
	for _, o := range m.Folder.Record.Experiments {
		if o.Experiment == experiment {
			return rest[:len(o.Findings)]
		}
		rest = rest[len(o.Findings):]
	}
	return nil
}

// addParts puts values with the same label, place and unit side by side.
func (c *ComparedClaim) addParts(members int) {
	at := map[string]int{}
	for i, out := range c.Outcomes {
		if out == nil {
			continue
		}
		seen := map[string]int{}
		for _, cell := range out.Cells {
			seen[cell.Label]++
			key := fmt.Sprintf("%q %q %d", cell.Label, cell.Unit, seen[cell.Label])
			k, known := at[key]
			if !known {
				k = len(c.Parts)
				at[key] = k
				c.Parts = append(c.Parts, ComparedPart{Label: cell.Label, Unit: cell.Unit, Cells: make([]*Cell, members)})
			}
			c.Parts[k].Cells[i] = &cell
		}
	}
}

// relate summarises each group and holds it against the first.
func (c *Comparison) relate(p *ComparedPart) {
	// That there is none may be what is measured; beside a value it is a gap.
	none := !slices.ContainsFunc(p.Cells, func(c *Cell) bool { return c != nil && c.Text != NotAvailable })
	for _, g := range c.Groups {
		var cells []*Cell
		for _, i := range g.Members {
			if p.Cells[i] != nil && (none || p.Cells[i].Text != NotAvailable) {
				cells = append(cells, p.Cells[i])
			}
		}
		p.Spreads = append(p.Spreads, newSpread(cells))
	}
	for k := range p.Spreads {
		if k == 0 {
			p.Relations = append(p.Relations, Relation{})
			continue
		}
		p.Relations = append(p.Relations, relationOf(p.Spreads[k], p.Spreads[0]))
	}
}
