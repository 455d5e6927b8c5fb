package retention

import (
	"slices"
	"sync"
	"time"
)

// The phases that latencies are told apart by.
const (
	before    = "before" // the writers alone
	detaching = "detach"
	exporting = "export"
	verifying = "verify"
	dropping  = "drop" // the statement and its commit
	between   = "between"
	after     = "after" // the pipeline has ended
)

// phases are in the order in which they are shown.
var phases = []string{before, detaching, exporting, verifying, dropping, between, after}

// A span is a step of the pipeline.
type span struct {
	step       string // as the pipeline calls it
	start, end time.Time
}

// A diary takes down the steps as the pipeline tells them.
type diary struct {
	mu    sync.Mutex
	spans []span
}

// add is archive.Config.Timed.
func (d *diary) add(step string, start, end time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spans = append(d.spans, span{step, start, end})
}

// seconds are what a step took over all tables: from first to last where its
// spans overlap, the sum where they follow each other.
func (d *diary) seconds(step string) float64 {
	var sum time.Duration
	var until time.Time
	for _, s := range d.of(step) {
		start := s.start
		if start.Before(until) {
			start = until
		}
		if s.end.After(start) {
			sum += s.end.Sub(start)
			until = s.end
		}
	}
	return sum.Seconds()
}

// of are the spans of a step, by their start.
func (d *diary) of(step string) []span {
	var found []span
	for _, s := range d.spans {
		if s.step == step {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b span) int { return a.start.Compare(b.start) })
	return found
}

// phaseSteps are the steps of each phase. An insert that overlaps several
// belongs to the first of them: detach and drop are short, and nothing that
// they held up may be counted elsewhere.
var phaseSteps = []struct {
	phase string
	steps []string
}{
	{detaching, []string{"detach"}}, {dropping, []string{"drop", "commit"}},
	{exporting, []string{"export"}}, {verifying, []string{"verify"}},
}

// phaseOf is the phase of an insert, from moments since the crew began.
func (d *diary) phaseOf(s sample, began, first, last time.Time) string {
	start, end := began.Add(time.Duration(s.scheduled)), began.Add(time.Duration(s.done))
	for _, p := range phaseSteps {
		for _, at := range d.spans {
			if slices.Contains(p.steps, at.step) && start.Before(at.end) && end.After(at.start) {
				return p.phase
			}
		}
	}
	switch {
	case end.Before(first):
		return before
	case start.After(last):
		return after
	}
	return between
}

// phased are the samples by phase, sorted out at the first call, which comes
// after the pipeline has ended.
func (r *retired) phased() map[string][]sample {
	if r.byPhase == nil {
		r.byPhase = r.diary.byPhase(r.samples, r.crewBegan, r.began, r.ended)
	}
	return r.byPhase
}

// byPhase sorts samples into phases.
func (d *diary) byPhase(all []sample, began, first, last time.Time) map[string][]sample {
	sorted := map[string][]sample{}
	slices.SortFunc(all, func(a, b sample) int { return int(a.scheduled - b.scheduled) })
	for _, s := range all {
		p := d.phaseOf(s, began, first, last)
		sorted[p] = append(sorted[p], s)
	}
	return sorted
}
