package treedelete

import (
	"fmt"
	"math/rand/v2"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// The parts of a statement's time, as tables call them.
const (
	partWhole   = "whole statement"
	partAdded   = "added round trip"
	partIdle    = "later answer after idling"
	partFlush   = "commit flush"
	partOwn     = "transaction, no flush"
	partServer  = "server and client"
	partAgainst = "an arm against itself"
	partLeft    = "left of 2.9 ms"
)

// A commitTime is a time with its interval, and what the interval rests on.
type commitTime struct {
	seconds float64
	stat.Interval
	autocorrelation, limit any
}

// commitMedian is the median of an arm.
func commitMedian(blocks [][]float64, rng *rand.Rand) (commitTime, error) {
	i, ok := stat.BlockQuantileInterval(blocks, 0.5, 0.95, rng)
	if !ok {
		return commitTime{}, fmt.Errorf("taking the interval of a median over %d blocks: it needs at least 12", len(blocks))
	}
	none := runner.NA{Reason: "whole blocks are resampled, whatever depends on what inside of them"}
	return commitTime{seconds: stat.PooledMedian(blocks), Interval: i, autocorrelation: none, limit: none}, nil
}

// commitDifference is the median of the first arm less that of the second, so that
// a chain of differences adds up to the whole. Its interval is that of the
// differences of the blocks, stretched to hold the value where it must be.
func commitDifference(first, second [][]float64, rng *rand.Rand) (commitTime, error) {
	d, err := stat.PairedDifference(first, second, rng)
	return commitTime{seconds: d.Value, Interval: d.Interval, autocorrelation: d.Autocorrelation, limit: d.AutocorrelationLimit}, err
}

// lessWaits takes the times of the second from those of the first, one by one.
func lessWaits(first, second [][]float64) [][]float64 {
	all := make([][]float64, len(first))
	for k := range first {
		for i := range first[k] {
			all[k] = append(all[k], first[k][i]-second[k][i])
		}
	}
	return all
}

// A commitPart is a row of the split.
type commitPart struct {
	name, kind string
	took       commitTime
}

// split takes the time of a statement with its own commit apart. Each arm does
// one thing less than the one before, so that the differences add up.
func (c *commitRun) split(delay time.Duration) ([]commitPart, error) {
	whole, off, one := c.of(true, "on", delay), c.of(true, "off", delay), c.of(false, "off", delay)
	rng := c.lab.Rand("commits/" + delay.String())
	var failed error
	single := func(name, kind string, blocks [][]float64) commitPart {
		s, err := commitMedian(blocks, rng)
		if err != nil && failed == nil {
			failed = fmt.Errorf("measuring %q: %w", name, err)
		}
		return commitPart{name, kind, s}
	}
	between := func(name, kind string, first, second [][]float64) commitPart {
		s, err := commitDifference(first, second, rng)
		if err != nil && failed == nil {
			failed = fmt.Errorf("measuring %q: %w", name, err)
		}
		return commitPart{name, kind, s}
	}
	parts := []commitPart{
		between(partAgainst, "noise", c.of(false, "on", delay).taken, one.taken),
		single(partWhole, "whole", whole.taken),
	}
	local := c.of(false, "off", 0)
	if delay > 0 {
		added := single(partAdded, "part", one.waited)
		idle := between(partIdle, "part", lessWaits(one.taken, one.waited), local.taken)
		idle.took = idle.took.exactly(stat.PooledMedian(one.taken) - added.took.seconds - stat.PooledMedian(local.taken))
		parts = append(parts, added, idle)
	}
	parts = append(parts, between(partFlush, "part", whole.taken, off.taken), between(partOwn, "part", off.taken, one.taken), single(partServer, "part", local.taken))
	if delay == 0 {
		parts = append(parts, leftOf(incidentDelay, parts[1]))
	}
	return parts, failed
}

// exactly gives a commitTime the value that makes the parts add up.
func (s commitTime) exactly(seconds float64) commitTime {
	s.seconds, s.Interval = seconds, s.Holding(seconds)
	return s
}

// leftOf is what a statement of the source's incident spent elsewhere.
func leftOf(incident time.Duration, whole commitPart) commitPart {
	s := whole.took
	s.seconds, s.Interval = incident.Seconds()-s.seconds, s.TakenFrom(incident.Seconds())
	return commitPart{partLeft, "remainder", s}
}
