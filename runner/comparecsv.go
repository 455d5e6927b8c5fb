package runner

import "strconv"

// ComparisonColumns is the header of a comparison's CSV.
var ComparisonColumns = []string{"experiment", "id", "part", "label", "published", "published_unit", "unit", "group", "folder", "postgresql",
	"measured", "low", "high", "verdict", "group_runs", "group_value", "group_low", "group_high", "group_interval",
	"between_least", "between_most", "between_exceeds_within", "ratio_to_first", "ratio_low", "ratio_high", "relation_to_first"}

// CSV is the comparison for other programs: a line for each value of each
// claim in each folder, in base units, with what its group comes to. What does
// not exist is n/a.
func (c *Comparison) CSV() []byte {
	rows := [][]string{ComparisonColumns}
	for _, e := range c.Experiments {
		for _, claim := range e.Claims {
			for j := range max(1, len(claim.Parts)) {
				for k, g := range c.Groups {
					for _, i := range g.Members {
						rows = append(rows, c.row(e, claim, j, k, i))
					}
				}
			}
		}
	}
	return csvBytes(rows)
}

// row is one line: part j of a claim in folder i of group k.
func (c *Comparison) row(e ComparedExperiment, claim ComparedClaim, j, k, i int) []string {
	verdict := NotAvailable
	if claim.Outcomes[i] != nil {
		verdict = claim.Outcomes[i].Verdict.String()
	}
	row := []string{e.Name, claim.Claim.ID, strconv.Itoa(j + 1), "", claim.Claim.Published, claim.Claim.Unit, NotAvailable,
		c.Groups[k].Name, c.Members[i].Name, c.Members[i].Folder.Record.PostgreSQL.Version, NotAvailable, NotAvailable, NotAvailable, verdict}
	if len(claim.Parts) == 0 {
		for len(row) < len(ComparisonColumns) {
			row = append(row, NotAvailable)
		}
		return row
	}
	p := claim.Parts[j]
	row[3], row[6] = p.Label, p.Unit
	if cell := p.Cells[i]; cell != nil {
		row[10], row[11], row[12] = cell.Text, orNA(cell.Low), orNA(cell.High)
	}
	return append(append(row, p.Spreads[k].row()...), p.Relations[k].row(k)...)
}

// row is what a group comes to.
func (s Spread) row() []string {
	row := []string{strconv.Itoa(len(s.Cells)), NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable, NotAvailable}
	if !s.Number {
		return row
	}
	row[1] = decimal(s.Value)
	if s.Interval {
		row[2], row[3], row[4] = decimal(s.Low), decimal(s.High), s.Method
	}
	if len(s.Cells) > 1 {
		row[5], row[6], row[7] = decimal(s.Least), decimal(s.Most), yesNo(s.Exceeds)
	}
	return row
}

func (r Relation) row(group int) []string {
	row := []string{NotAvailable, NotAvailable, NotAvailable, string(r.Word)}
	if group == 0 {
		row[3] = "first"
		return row
	}
	if r.Ratio > 0 {
		row[0] = decimal(r.Ratio)
	}
	if r.Interval {
		row[1], row[2] = decimal(r.Low), decimal(r.High)
	}
	return row
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
