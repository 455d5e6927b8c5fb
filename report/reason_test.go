package report

import (
	"testing"

	"deletecost/runner"
)

func missing(id, why string) runner.Outcome {
	return runner.Outcome{Claim: runner.Claim{ID: id, Statement: "statement of " + id, Tolerance: "shown"}, Why: why}
}

func TestReasonsAreSaidOnce(t *testing.T) {
	const scale = "not measured at this scale: 2 cycles; the source had 50"
	o := runner.Outline{Experiment: "e"}
	outcomes := []runner.Outcome{missing("a", scale), missing("b", "no extension"), missing("c", scale),
		{Claim: runner.Claim{ID: "d", Tolerance: "shown"}, Verdict: runner.Reproduced, Why: scale}}
	all := newReasons(o, outcomes)
	if len(all) != 2 || len(all[0].Claims) != 2 || len(all[1].Claims) != 1 {
		t.Fatalf("reasons %+v, want one of two claims and one of one", all)
	}
	if got := all[0]; got.Head != "not measured at this scale" || got.Text != "2 cycles; the source had 50" || got.Brief() != "at this scale" {
		t.Errorf("shared reason %+v, brief %q", got, got.Brief())
	}
	if want := (claimRef{"c", "e/c", "statement of c"}); all[0].Claims[1] != want {
		t.Errorf("second claim %+v, want %+v", all[0].Claims[1], want)
	}
	if got := all[1]; got.Head != "not measured" || got.Text != "no extension" || got.Brief() != "for the reason above" {
		t.Errorf("reason of one %+v, brief %q", got, got.Brief())
	}
	claims := newClaims(o, outcomes, shared(all))
	for i, want := range []bool{true, false, true, false} {
		c := claims[i]
		if got := c.Reason != nil; got != want || want == (c.Why != "") {
			t.Errorf("%s: shared reason %v, want %v; why %q", c.ID, got, want, c.Why)
		}
	}
}
