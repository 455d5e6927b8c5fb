package report

import (
	"slices"
	"strings"

	"deletecost/runner"
)

// claim is one row of the claims table.
type claim struct {
	ID, Anchor, Statement string
	Rule                  string // by which it is judged
	Published             value
	Parts                 []part // none: not measured
	Verdict               verdict
	Why                   string
	Reason                *reason // in Why's place when other claims share it, nil otherwise
}

// value is a number for people and, where that rounds, the number itself.
type value struct {
	Text  string
	Exact string // "" when Text says it all
}

// part is one measured value of a claim.
type part struct {
	Label    string // "" when the claim has one part
	Value    value
	Interval string // "" without one
	File     string // the CSV that holds the value
	Anchor   string
}

// verdict is told by a symbol and a word; the class adds a colour.
type verdict struct {
	Symbol, Word, Class string
}

var symbols = map[runner.Verdict]string{
	runner.Reproduced: "✓", runner.SameDirection: "↗", runner.NotReproduced: "✗",
	runner.Inconclusive: "?", runner.NotMeasured: "–", runner.NotJudged: "○",
}

func newVerdict(v runner.Verdict) verdict {
	return verdict{Symbol: symbols[v], Word: v.String(), Class: strings.ReplaceAll(v.String(), " ", "-")}
}

// count is how many claims got a verdict.
type count struct {
	N       int
	Verdict verdict
}

// countVerdicts counts in the order of runner.Verdicts and leaves out zeros.
func countVerdicts(outcomes []runner.Outcome) []count {
	var all []count
	for _, v := range runner.Verdicts() {
		n := 0
		for _, o := range outcomes {
			if o.Verdict == v {
				n++
			}
		}
		if n > 0 {
			all = append(all, count{N: n, Verdict: newVerdict(v)})
		}
	}
	return all
}

// newClaims makes the rows of the claims table; reasons are those that several
// rows share.
func newClaims(o runner.Outline, outcomes []runner.Outcome, reasons []reason) []claim {
	all := make([]claim, 0, len(outcomes))
	for i, out := range outcomes {
		c := claim{ID: out.Claim.ID, Anchor: claimAnchor(o, out.Claim), Statement: out.Claim.Statement,
			Rule: out.Claim.Rule(), Published: published(out.Claim), Verdict: newVerdict(out.Verdict), Why: out.Why}
		if k := slices.IndexFunc(reasons, func(r reason) bool { return r.why == out.Why }); k >= 0 && out.Verdict == runner.NotMeasured {
			c.Why, c.Reason = "", &reasons[k]
		}
		for j, cell := range out.Cells {
			file := o.Experiment + "/" + o.Findings[i].At[j].Table + ".csv"
			c.Parts = append(c.Parts, part{Label: cell.Label, Value: newValue(cell.Text, cell.Unit),
				Interval: interval(cell), File: file, Anchor: file})
		}
		all = append(all, c)
	}
	return all
}

// published sets the bytes, which PublishedText puts in brackets, apart.
func published(c runner.Claim) value {
	text := c.PublishedText()
	if scaled, exact, cut := strings.Cut(text, " ("); cut && c.Unit == "bytes" && strings.HasSuffix(exact, " bytes)") {
		return value{Text: scaled, Exact: strings.TrimSuffix(exact, ")")}
	}
	return value{Text: text}
}

// newValue keeps the bytes beside KiB and MiB, since exact things are exact.
func newValue(text, unit string) value {
	v := value{Text: runner.Humanize(text, unit)}
	exact := runner.Humanize(text, "") + " bytes"
	if unit == "bytes" && v.Text != text && v.Text != exact {
		v.Exact = exact
	}
	return v
}

// interval is what a cell's text says behind its value.
func interval(c runner.Cell) string {
	return strings.TrimSpace(strings.TrimPrefix(c.String(), runner.Humanize(c.Text, c.Unit)))
}
