package experiments

import (
	"testing"

	"deletecost/runner"
)

// Every claim belongs to an experiment that exists, and every experiment has
// claims.
func TestClaimsHaveExperiments(t *testing.T) {
	claims, err := runner.Claims()
	if err != nil {
		t.Fatal(err)
	}
	withClaims := map[string]bool{}
	for _, c := range claims {
		withClaims[c.Experiment] = true
	}
	for _, e := range All() {
		if !withClaims[e.Name] {
			t.Errorf("experiment %q has no claim", e.Name)
		}
		delete(withClaims, e.Name)
	}
	for name := range withClaims {
		t.Errorf("claims name experiment %q, which does not exist", name)
	}
}

// A value at a scale must be one that --set would take.
func TestKnobsAreInTheirRange(t *testing.T) {
	for _, e := range All() {
		for _, s := range runner.Scales() {
			for _, k := range e.Knobs {
				if v := k.At(s); v < k.Min || v > k.Max {
					t.Errorf("%s.%s is %d at %s, outside %d to %d", e.Name, k.Name, v, s, k.Min, k.Max)
				}
			}
			if e.Check != nil {
				if err := e.Check(e.ValuesAt(s)); err != nil {
					t.Errorf("%s at %s: %v", e.Name, s, err)
				}
			}
			if e.Space(e.ValuesAt(s)) <= 0 {
				t.Errorf("%s at %s asks for no space", e.Name, s)
			}
		}
	}
}
