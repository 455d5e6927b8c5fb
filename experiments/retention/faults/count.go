package faults

import (
	"fmt"

	"deletecost/experiments/retention/checker"
)

// A Count is what several trials came to.
type Count struct {
	// Faults is how many faults were tried.
	Faults int
	// Reruns is how many runs it took to finish after them.
	Reruns int
	// Acknowledged and Unknown are rows of the writers, over all trials.
	Acknowledged, Unknown int64
	// Loaded is the rows of the months, over all trials.
	Loaded int64
	// Violations is how many the checker found, at the fault or at the end.
	Violations int
	// Seeds are the seeds of the trials, in their order.
	Seeds []uint64
}

// Add takes the last report of a trial.
func (c *Count) Add(seed uint64, runs int, r checker.Report) {
	c.Faults++
	c.Reruns += runs
	c.Acknowledged += r.Acknowledged
	c.Unknown += r.Unknown
	c.Loaded += r.Loaded
	c.Violations += len(r.Violations)
	c.Seeds = append(c.Seeds, seed)
}

// String is the count as a line.
func (c Count) String() string {
	first, last := uint64(0), uint64(0)
	if len(c.Seeds) > 0 {
		first, last = c.Seeds[0], c.Seeds[len(c.Seeds)-1]
	}
	return fmt.Sprintf("%d faults, %d runs to finish after them, %d violations; %d rows loaded, %d acknowledged, %d unknown; seeds %d to %d",
		c.Faults, c.Reruns, c.Violations, c.Loaded, c.Acknowledged, c.Unknown, first, last)
}
