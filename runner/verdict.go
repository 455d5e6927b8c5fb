package runner

import "fmt"

// A Verdict says how a measured value stands to a published one.
type Verdict int

// The verdicts. The zero value is "not measured".
const (
	NotMeasured   Verdict = iota // there is no value, and a reason
	Reproduced                   // value and interval within the tolerance fixed beforehand
	SameDirection                // on the published side of 1, outside the tolerance
	NotReproduced                // outside, and not by chance
	Inconclusive                 // the interval is too wide to tell
	NotJudged                    // shown beside the published value: absolute times, and what depends on what the source does not give
)

var verdictWords = []string{"not measured", "reproduced", "same direction", "not reproduced", "inconclusive", "not judged"}

// String returns the verdict in words.
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictWords) {
		return fmt.Sprintf("verdict %d", int(v))
	}
	return verdictWords[v]
}

// Verdicts returns every verdict in the order in which they are counted.
func Verdicts() []Verdict {
	return []Verdict{Reproduced, SameDirection, NotReproduced, Inconclusive, NotMeasured, NotJudged}
}

// ParseVerdict reads a verdict's words.
func ParseVerdict(words string) (Verdict, error) {
	for i, w := range verdictWords {
		if w == words {
			return Verdict(i), nil
		}
	}
	return NotMeasured, fmt.Errorf("reading verdict %q: not one of %q", words, verdictWords)
}
