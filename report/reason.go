package report

import (
	"fmt"
	"slices"
	"strings"

	"deletecost/runner"
)

// reason is why several claims of an experiment were not measured, said once
// for all of them.
type reason struct {
	Anchor string
	Claims []claimRef
	Head   string // what is the matter: "not measured at this scale"
	Text   string // why
	why    string // as the findings say it
}

// claimRef points at a row of the claims table.
type claimRef struct{ ID, Anchor, Statement string }

// newReasons groups what was not measured by its reason, in the order of the
// claims.
func newReasons(o runner.Outline, outcomes []runner.Outcome) []reason {
	var all []reason
	for _, out := range outcomes {
		if out.Verdict != runner.NotMeasured {
			continue
		}
		i := slices.IndexFunc(all, func(r reason) bool { return r.why == out.Why })
		if i < 0 {
			i = len(all)
			all = append(all, newReason(out.Why, fmt.Sprintf("%s/reason-%d", o.Experiment, i+1)))
		}
		all[i].Claims = append(all[i].Claims, claimRef{out.Claim.ID, claimAnchor(o, out.Claim), out.Claim.Statement})
	}
	return all
}

// newReason cuts "not measured at this scale: ..." at its colon, so that the
// page does not say twice that nothing was measured.
func newReason(why, anchor string) reason {
	r := reason{Anchor: anchor, Head: runner.NotMeasured.String(), Text: why, why: why}
	if head, text, cut := strings.Cut(why, ": "); cut && strings.HasPrefix(head, r.Head) {
		r.Head, r.Text = head, text
	}
	return r
}

// shared keeps the reasons that several claims have.
func shared(all []reason) []reason {
	var some []reason
	for _, r := range all {
		if len(r.Claims) > 1 {
			some = append(some, r)
		}
	}
	return some
}

// Brief stands in the row of a claim, whose verdict says the rest.
func (r reason) Brief() string {
	if short := strings.TrimSpace(strings.TrimPrefix(r.Head, runner.NotMeasured.String())); short != "" {
		return short
	}
	return "for the reason above"
}

func claimAnchor(o runner.Outline, c runner.Claim) string { return o.Experiment + "/" + c.ID }
