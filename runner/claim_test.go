package runner

import (
	"strings"
	"testing"
)

func TestClaimsAreWhole(t *testing.T) {
	claims, err := Claims()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range claims {
		if seen[c.ID] {
			t.Errorf("claim %q stands twice", c.ID)
		}
		seen[c.ID] = true
		if !strings.HasPrefix(c.ID, c.Source+".") || c.Statement == "" || c.Published == "" || c.Experiment == "" {
			t.Errorf("claim %q lacks its source, statement, published value or experiment", c.ID)
		}
	}
}

func TestExpectationsNameClaims(t *testing.T) {
	claims, err := Claims()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range claims {
		known[c.ID] = true
	}
	expected, err := expectations()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range expected {
		if !known[e.claim] {
			t.Errorf("expected.csv names %q, which is no claim", e.claim)
		}
	}
}

func TestWorstPartDecides(t *testing.T) {
	c := Claim{ID: "x.sizes", Tolerance: "within 1 2; within 10 20"}
	for _, k := range []struct {
		parts []string
		want  Verdict
	}{
		{[]string{"1.5", "15"}, Reproduced},
		{[]string{"1.5", "25"}, NotReproduced},
		{[]string{"0.5", "15"}, NotReproduced},
		{[]string{"1.5", NotAvailable}, NotMeasured},
	} {
		got, err := c.Judge([]Cell{{Text: k.parts[0]}, {Text: k.parts[1]}})
		if err != nil || got != k.want {
			t.Errorf("%v is %q, %v; want %q", k.parts, got, err, k.want)
		}
	}
	if _, err := c.Judge([]Cell{{Text: "1"}, {Text: "11"}, {Text: "3"}}); err == nil {
		t.Error("three values pass two rules")
	}
}
