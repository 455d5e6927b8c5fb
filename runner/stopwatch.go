package runner

import "deletecost/runner/waiting"

// A stopwatch charges the time of an experiment to the step that began last and is not over. A nil one charges nothing.
type stopwatch struct {
	clock  *waiting.Clock
	last   waiting.Reading
	open   []*Step
	phases [3]waiting.Reading // between, measuring, setup
}

func newStopwatch(c *waiting.Clock) *stopwatch { return &stopwatch{clock: c, last: c.Read()} }

// charge charges the time since the last charge.
func (w *stopwatch) charge() {
	now := w.clock.Read()
	i := 0
	if n := len(w.open); n > 0 && w.open[n-1].setup {
		i = 2
	} else if n > 0 {
		i = 1
	}
	w.phases[i] = w.phases[i].Plus(now.Since(w.last))
	w.last = now
}

func (w *stopwatch) begin(s *Step) {
	if w == nil {
		return
	}
	w.charge()
	w.open = append(w.open, s)
}

// end charges what a step took; one that began later may go on.
func (w *stopwatch) end(s *Step) {
	if w == nil {
		return
	}
	w.charge()
	for i, o := range w.open {
		if o == s {
			w.open = append(w.open[:i], w.open[i+1:]...)
			return
		}
	}
}

// stop ends the experiment.
func (w *stopwatch) stop() *Phases {
	w.charge()
	return &Phases{Between: newSpent(w.phases[0]), Measuring: newSpent(w.phases[1]), Setup: newSpent(w.phases[2])}
}
