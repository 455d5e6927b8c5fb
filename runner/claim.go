package runner

import (
	"encoding/csv"
	"fmt"
	"strings"

	"deletecost/fixtures"
)

// A Claim is one published number or statement with the rule it is judged by.
type Claim struct {
	ID         string `json:"id"`     // source and name: "s1.heap_ratio"
	Source     string `json:"source"` // the study: "s1"
	Statement  string `json:"statement"`
	Published  string `json:"published"` // as printed by the source
	Unit       string `json:"unit"`      // as printed by the source
	Kind       string `json:"kind"`      // exact, size, range, ratio, time, bool, ...
	JudgedBy   string `json:"judged_by"` // the rule in words
	Tolerance  string `json:"tolerance"` // the rule for the program; parts joined by ";"
	SizeBound  bool   `json:"size_bound,omitempty"`
	Experiment string `json:"experiment"` // who measures it
}

// Claims returns every published claim in the order of fixtures.
func Claims() ([]Claim, error) {
	rows, err := csv.NewReader(strings.NewReader(fixtures.ClaimsCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the claims: %w", err)
	}
	const columns = "id,source,statement,published,unit,kind,judged_by,tolerance,size_bound,experiment"
	if len(rows) == 0 || strings.Join(rows[0], ",") != columns {
		return nil, fmt.Errorf("reading the claims: the header is not %q", columns)
	}
	claims := make([]Claim, 0, len(rows)-1)
	for _, r := range rows[1:] {
		c := Claim{ID: r[0], Source: r[1], Statement: r[2], Published: r[3], Unit: r[4], Kind: r[5],
			JudgedBy: r[6], Tolerance: r[7], SizeBound: r[8] == "yes", Experiment: r[9]}
		if _, err := c.tolerances(); err != nil {
			return nil, fmt.Errorf("reading claim %q: %w", c.ID, err)
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// tolerances parses one rule for each part of the claim.
func (c Claim) tolerances() ([]Tolerance, error) {
	var all []Tolerance
	for _, part := range strings.Split(c.Tolerance, ";") {
		t, err := ParseTolerance(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Rule says in words how the claim is judged, part by part.
func (c Claim) Rule() string {
	rules, err := c.tolerances()
	if err != nil {
		return c.Tolerance // of a folder that was written by another release
	}
	words := make([]string, len(rules))
	for i, t := range rules {
		words[i] = t.String()
	}
	return strings.Join(words, " / ")
}

// Judge returns the verdict on the measured parts of a claim: one rule serves
// all parts, or each part has its own, and the worst part decides.
func (c Claim) Judge(parts []Cell) (Verdict, error) {
	rules, err := c.tolerances()
	if err != nil {
		return NotMeasured, err
	}
	if len(rules) != 1 && len(rules) != len(parts) {
		return NotMeasured, fmt.Errorf("judging %q: %d rules for %d values", c.ID, len(rules), len(parts))
	}
	worst := NotMeasured
	for i, p := range parts {
		rule := rules[i%len(rules)]
		// A claim may be that there is none, and what is shown only may be missing.
		if p.Text == NotAvailable && rule.word != NotAvailable && (rule.rule != "shown" || len(parts) == 1) {
			return NotMeasured, nil
		}
		if v := rule.Judge(p); i == 0 || worse(v, worst) {
			worst = v
		}
	}
	return worst, nil
}

// worse orders verdicts by what a reader must hear first.
func worse(a, b Verdict) bool {
	rank := []int{NotJudged: 0, Reproduced: 1, SameDirection: 2, Inconclusive: 3, NotReproduced: 4, NotMeasured: 5}
	return rank[a] > rank[b]
}

// A Finding is what a run says of one claim. It points at measured cells and
// holds no numbers of its own.
type Finding struct {
	Claim Claim    `json:"claim"`
	At    []Ref    `json:"at,omitempty"` // none: not measured
	Why   Sentence `json:"why"`
}

// An Outcome is a finding with its cells read and its verdict.
type Outcome struct {
	Claim   Claim
	Cells   []Cell
	Verdict Verdict
	Why     string
}

// Outcome reads the finding's cells and judges them.
func (f Finding) Outcome(ts Tables) (Outcome, error) {
	o := Outcome{Claim: f.Claim}
	var err error
	if o.Why, err = f.Why.In(ts); err != nil {
		return o, fmt.Errorf("explaining %q: %w", f.Claim.ID, err)
	}
	for _, r := range f.At {
		c, err := ts.Cell(r)
		if err != nil {
			return o, fmt.Errorf("judging %q: %w", f.Claim.ID, err)
		}
		o.Cells = append(o.Cells, c)
	}
	if len(o.Cells) == 0 {
		return o, nil
	}
	o.Verdict, err = f.Claim.Judge(o.Cells)
	return o, err
}
