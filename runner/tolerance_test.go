package runner

import "testing"

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		tolerance, value, low, high, floor string
		want                               Verdict
	}{
		{"equal 44359680", "44359680", "", "", "", Reproduced},
		{"equal 44359680", "44359681", "", "", "", NotReproduced},
		{"equal 44359680", "4.435968e+07", "", "", "", Reproduced},
		{"equal yes", "yes", "", "", "", Reproduced},
		{"equal yes", "no", "", "", "", NotReproduced},
		{"shown", "17", "", "", "", NotJudged},
		{"within 0.87 1.15", "1.03", "0.95", "1.10", "", Reproduced},
		{"within 0.87 1.15", "0.87", "0.87", "1.15", "", Reproduced},   // the bounds belong to it
		{"within 0.87 1.15", "1.03", "0.80", "1.10", "", Inconclusive}, // the interval leaves it
		{"within 0.87 1.15", "1.20", "1.14", "1.30", "", Inconclusive}, // the interval reaches into it
		{"within 0.87 1.15", "1.20", "1.16", "1.30", "", NotReproduced},
		{"within 1.62 1.98 or above 1", "1.8", "1.7", "1.9", "", Reproduced},
		{"within 1.62 1.98 or above 1", "6.2", "5.6", "7.8", "", SameDirection},
		{"within 1.62 1.98 or above 1", "1.9", "1.7", "2.1", "", SameDirection},
		{"within 1.62 1.98 or above 1", "1.3", "0.9", "1.7", "", Inconclusive},
		{"within 1.62 1.98 or above 1", "1.0", "0.9", "1.1", "", NotReproduced},
		{"within 1.62 1.98 or above 1", "0.5", "0.4", "0.6", "", NotReproduced},
		{"within 0.4 0.6 or below 1", "0.8", "0.7", "0.9", "", SameDirection},
		{"above 1", "1.75", "1.2", "2.5", "", SameDirection}, // a direction is never more than a direction
		{"above 1", "1.75", "0.9", "2.5", "", Inconclusive},
		{"above 1", "0.75", "0.6", "0.9", "", NotReproduced},
		{"above 1", "1.75", "1.2", "2.5", "1.3", SameDirection},
		{"above 1", "1.75", "1.2", "2.5", "1.8", Inconclusive}, // the arm against itself came out further from 1
		{"within 1.62 1.98 or above 1", "6.2", "5.6", "7.8", "8.1", Inconclusive},
		{"within 1.62 1.98 or above 1", "6.2", "5.6", "7.8", "n/a", SameDirection},
		{"within 0.87 1.15", "1.03", "n/a", "n/a", "", Inconclusive}, // no interval could be had
		{"within 15 75", "40", "", "", "", Reproduced},
		{"within 15 75", "120", "", "", "", NotReproduced},
		{"within 15 75", "forty", "", "", "", NotReproduced},
	} {
		tolerance, err := ParseTolerance(c.tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if got := tolerance.Judge(Cell{Text: c.value, Low: c.low, High: c.high, Floor: c.floor}); got != c.want {
			t.Errorf("%s: %s [%s, %s] is %q, want %q", c.tolerance, c.value, c.low, c.high, got, c.want)
		}
	}
}

func TestParseToleranceRefuses(t *testing.T) {
	for _, text := range []string{"", "about 3", "within 3", "within 3 2", "within a b", "within 1 2 or", "within 1 2 or beside 1", "equal", "above 2", "shown yes"} {
		if _, err := ParseTolerance(text); err == nil {
			t.Errorf("%q is taken for a tolerance", text)
		}
	}
}
