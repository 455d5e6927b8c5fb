package experiments

import (
	"slices"
	"testing"

	"deletecost/runner"
)

// Every claim belongs to an experiment that exists or is listed as planned,
// and neither list names an experiment without claims.
func TestClaimsHaveExperiments(t *testing.T) {
	claims, err := runner.Claims()
	if err != nil {
		t.Fatal(err)
	}
	withClaims := map[string]bool{}
	for _, c := range claims {
		withClaims[c.Experiment] = true
	}
	names := Planned()
	for _, e := range All() {
		if slices.Contains(Planned(), e.Name) {
			t.Errorf("experiment %q exists and is listed as planned", e.Name)
		}
		names = append(names, e.Name)
	}
	for _, name := range names {
		if !withClaims[name] {
			t.Errorf("experiment %q has no claim", name)
		}
		delete(withClaims, name)
	}
	for name := range withClaims {
		t.Errorf("claims name experiment %q, which neither exists nor is planned", name)
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
