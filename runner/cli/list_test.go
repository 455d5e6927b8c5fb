package cli

import (
	"testing"

	"deletecost/fixtures"
	"deletecost/runner"
)

const wantListing = `softdelete: Soft delete
    Does it cost?

    knob    smoke  laptop  published  range         unit  meaning
    cycles  3      50      50         1 to 500            rounds of churn
    batch   500    5000    5000       10 to 100000  rows  rows inserted in a cycle

    claim of s1  published  statement
    s1.ratio     26.7×      soft over hard
    s1.shape     yes        the plan changes

bulkdelete: Bulk delete
    And this?
`

func TestListing(t *testing.T) {
	claims := []runner.Claim{
		{ID: "s1.ratio", Published: "26.7", Unit: "x", Statement: "soft over hard", Experiment: "softdelete"},
		{ID: "s2.count", Published: "4001", Unit: "rows", Statement: "one a row", Experiment: "treedelete"},
		{ID: "s1.shape", Published: "yes", Unit: "bool", Statement: "the plan changes", Experiment: "softdelete"},
	}
	if got := listing(both, claims); got != wantListing {
		t.Errorf("%s\nwant\n%s", got, wantListing)
	}
}

func TestVersionLines(t *testing.T) {
	pins := fixtures.PinSet{
		PostgreSQL: []fixtures.Pin{{Version: "16.14", Platform: "x/y"}, {Version: "17.10", Platform: "x/y"}, {Version: "18.4", Platform: "a/b"}},
		ECharts:    []fixtures.Pin{{Version: "6.1.0"}},
	}
	for platform, want := range map[string]string{
		"x/y": "16.14, 17.10 (default)",
		"a/b": "18.4",
		"c/d": "not pinned for c/d: name your own with --pg-bin DIR",
	} {
		if got := pinnedServers(pins, platform); got != want {
			t.Errorf("%s: %q, want %q", platform, got, want)
		}
	}
	if got := pinnedCharts(pins); got != "6.1.0" {
		t.Errorf("ECharts %q", got)
	}
}
