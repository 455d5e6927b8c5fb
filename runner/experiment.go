// Package runner is the domain: what an experiment, a result and a claim are,
// and the loop that runs experiments one after another.
package runner

import (
	"context"
	"fmt"
	"strconv"
)

// Scale says how large an experiment is run.
type Scale string

// The scales, from the smallest.
const (
	Smoke     Scale = "smoke"     // proves that everything runs; seconds
	Laptop    Scale = "laptop"    // the published parameters wherever they fit in minutes
	Published Scale = "published" // every arm at its source's own size
)

// Scales returns every scale, from the smallest.
func Scales() []Scale { return []Scale{Smoke, Laptop, Published} }

// An Experiment answers one question about the cost of deleting.
type Experiment struct {
	Name     string // the word on the command line, the folder and the anchor
	Title    string // a heading
	Question string // the sentence that the report answers
	Source   string // the published study it reproduces, as claims name it: "s1"
	Knobs    []Knob
	// Check refuses values that are each in range and do not fit together; nil
	// when there are none.
	Check func(Values) error
	// Space returns the bytes of disk that the server needs at the most.
	Space func(Values) int64
	// Run measures into out. What is in out stays, also when Run fails.
	Run func(ctx context.Context, lab *Lab, out *Result) error
}

// A Knob is a parameter of an experiment: a whole number with a value per scale.
type Knob struct {
	Name    string // as in --set experiment.name=value
	Meaning string // a phrase for `deletecost list`
	Unit    string // base unit, "" for a plain count
	Min     int64  // the smallest value accepted
	Max     int64  // the largest value accepted
	Switch  bool   // it is 0 or 1, and true and false are understood

	Smoke, Laptop, Published int64 // the value at each scale
}

// At returns the knob's value at a scale.
func (k Knob) At(s Scale) int64 {
	switch s {
	case Smoke:
		return k.Smoke
	case Published:
		return k.Published
	}
	return k.Laptop
}

// Parse reads a value from the command line and checks its range.
func (k Knob) Parse(text string) (int64, error) {
	if k.Switch {
		switch text {
		case "true", "1":
			return 1, nil
		case "false", "0":
			return 0, nil
		}
		return 0, fmt.Errorf("%s takes true or false, not %q", k.Name, text)
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s takes a whole number from %d to %d, not %q", k.Name, k.Min, k.Max, text)
	}
	if v < k.Min || v > k.Max {
		return 0, fmt.Errorf("%s is %d, outside %d to %d: choose a value inside", k.Name, v, k.Min, k.Max)
	}
	return v, nil
}

// Values holds one experiment's knobs, resolved for a run.
type Values map[string]int64

// ValuesAt returns the experiment's knobs at a scale.
func (e *Experiment) ValuesAt(s Scale) Values {
	v := Values{}
	for _, k := range e.Knobs {
		v[k.Name] = k.At(s)
	}
	return v
}

// Knob finds a knob by its name.
func (e *Experiment) Knob(name string) (Knob, bool) {
	for _, k := range e.Knobs {
		if k.Name == name {
			return k, true
		}
	}
	return Knob{}, false
}
