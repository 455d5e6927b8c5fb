package runner

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"deletecost/fixtures"
)

// A Difference is a claim whose verdict is not the expected one.
type Difference struct {
	Claim    string
	Expected string // one verdict, or several joined by "|"
	Got      string
}

// String returns the difference as one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s, expected %s", d.Claim, d.Got, d.Expected)
}

// An expectation is one line of fixtures' expected.csv. The verdict of a
// random quantity may be one of several, joined by "|".
type expectation struct {
	claim, pg, scale, verdict string
}

// Check compares the verdicts of a run with those that fixtures expect at its
// version and scale. A claim without an expectation is a difference too.
func Check(f *Folder) ([]Difference, error) {
	expected, err := expectations()
	if err != nil {
		return nil, err
	}
	var differences []Difference
	for _, o := range f.Record.Experiments {
		outcomes, err := f.Outcomes(o)
		if err != nil {
			return nil, err
		}
		for _, c := range outcomes {
			if d, differs := differs(expected, f.Record, c); differs {
				differences = append(differences, d)
			}
		}
	}
	return differences, nil
}

// differs compares one verdict.
func differs(expected []expectation, r Record, c Outcome) (Difference, bool) {
	major, _, _ := strings.Cut(r.PostgreSQL.Version, ".")
	want := find(expected, c.Claim.ID, major, r.Scale)
	return Difference{c.Claim.ID, want, c.Verdict.String()}, !oneOf(c.Verdict.String(), want)
}

func expectations() ([]expectation, error) {
	rows, err := csv.NewReader(strings.NewReader(fixtures.ExpectedCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the expected verdicts: %w", err)
	}
	if len(rows) == 0 || strings.Join(rows[0], ",") != "claim,pg,scale,verdict" {
		return nil, errors.New(`reading the expected verdicts: the header is not "claim,pg,scale,verdict"`)
	}
	var all []expectation
	for _, r := range rows[1:] {
		for _, v := range strings.Split(r[3], "|") {
			if _, err := ParseVerdict(v); err != nil {
				return nil, fmt.Errorf("reading the expected verdict of %q: %w", r[0], err)
			}
		}
		all = append(all, expectation{r[0], r[1], r[2], r[3]})
	}
	return all, nil
}

// find returns the last expectation that fits; "*" fits every version or scale.
func find(all []expectation, claim, major string, scale Scale) string {
	want := "an expectation in fixtures/expected.csv"
	for _, e := range all {
		if e.claim == claim && (e.pg == "*" || e.pg == major) && (e.scale == "*" || e.scale == string(scale)) {
			want = e.verdict
		}
	}
	return want
}

func oneOf(verdict, allowed string) bool {
	for _, a := range strings.Split(allowed, "|") {
		if a == verdict {
			return true
		}
	}
	return false
}
