package cli

import (
	"net/url"
	"runtime"
	"slices"
	"strings"

	"deletecost/fixtures"
	"deletecost/runner"
)

// defaultVersion is the PostgreSQL that is run unless --pg names another or
// --pg-bin is one.
const defaultVersion = "17"

// A request is a run as it was asked for, with every name found and every
// value in its range.
type request struct {
	options
	scale       runner.Scale
	seed        uint64
	versions    []string // words for PostgreSQL; one empty word when own programs are named without one
	repeats     int      // runs of each version
	experiments []*runner.Experiment
	knobs       map[string]runner.Values // by experiment
}

// newRequest checks all that can be checked without touching the machine.
func newRequest(o options, names []string, all []*runner.Experiment) (*request, error) {
	r := &request{options: o, knobs: map[string]runner.Values{}}
	var err error
	if r.experiments, err = chooseExperiments(names, all); err != nil {
		return nil, err
	}
	if r.scale, err = parseScale(o.scale); err != nil {
		return nil, err
	}
	if r.seed, err = parseSeed(o.seed); err != nil {
		return nil, err
	}
	if r.repeats, err = parseRuns(o.runs); err != nil {
		return nil, err
	}
	if r.versions, err = o.chooseVersions(runtime.GOOS + "/" + runtime.GOARCH); err != nil {
		return nil, err
	}
	if err := checkMirror(o.mirror); err != nil {
		return nil, err
	}
	for _, e := range r.experiments {
		r.knobs[e.Name] = e.ValuesAt(r.scale)
	}
	for _, text := range o.set {
		if err := r.set(text, all); err != nil {
			return nil, err
		}
	}
	return r, r.fit()
}

// several says whether more than one run is asked for.
func (r *request) several() bool { return len(r.versions) > 1 || r.repeats > 1 }

// chooseVersions returns the words for PostgreSQL. One is empty when own
// programs are named without a version: then they may be any.
func (o options) chooseVersions(platform string) ([]string, error) {
	if o.pg == "" && o.pgBin == "" {
		return []string{defaultVersion}, nil
	}
	if o.pg == "" {
		return []string{""}, nil
	}
	words := listed(o.pg)
	if len(words) > 1 && o.pgBin != "" {
		return nil, usagef("--pg is %q and --pg-bin holds one version: leave --pg out, or name that version", o.pg)
	}
	pins, err := fixtures.Pins()
	if err != nil {
		return nil, err
	}
	var exact []string
	for _, word := range words {
		if err := checkVersion(word, platform); err != nil {
			return nil, err
		}
		if pin, ok := pins.Postgres(word, platform); ok {
			word = pin.Version
		}
		if slices.Contains(exact, word) {
			return nil, usagef("--pg is %q: PostgreSQL %s is named twice: name it once", o.pg, word)
		}
		exact = append(exact, word)
	}
	return words, nil
}

// fit refuses values that are each in range and do not fit together.
func (r *request) fit() error {
	for _, e := range r.experiments {
		if e.Check == nil {
			continue
		}
		if err := e.Check(r.knobs[e.Name]); err != nil {
			return usagef("%s: %v", e.Name, err)
		}
	}
	return nil
}

// chooseExperiments finds the named experiments, all of them without a name.
func chooseExperiments(names []string, all []*runner.Experiment) ([]*runner.Experiment, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []*runner.Experiment
	for _, name := range names {
		e := findExperiment(name, all)
		switch {
		case e == nil && slices.Contains(words, name):
			return nil, usagef("%q is not an experiment: a word stands before everything else: deletecost %[1]s", name)
		case e == nil:
			return nil, unknownExperiment(name, all)
		case slices.Contains(chosen, e):
			return nil, usagef("experiment %q is named twice: name it once", name)
		}
		chosen = append(chosen, e)
	}
	return chosen, nil
}

// unknownExperiment also thinks of the words: a mistyped one arrives here.
func unknownExperiment(name string, all []*runner.Experiment) error {
	names := experimentNames(all)
	word, isWord := nearest(name, words)
	if _, known := nearest(name, names); isWord && !known {
		return usagef("unknown experiment %q: did you mean the word %s?", name, word)
	}
	return unknown("experiment", name, names)
}

func findExperiment(name string, all []*runner.Experiment) *runner.Experiment {
	for _, e := range all {
		if e.Name == name {
			return e
		}
	}
	return nil
}

func experimentNames(all []*runner.Experiment) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}

func parseScale(text string) (runner.Scale, error) {
	var valid []string
	for _, s := range runner.Scales() {
		if string(s) == text {
			return s, nil
		}
		valid = append(valid, string(s))
	}
	return "", unknown("scale", text, valid)
}

// checkVersion lets a version through when this platform has no pins at all:
// that is not for the caller to mend, and fetch says what is.
func checkVersion(word, platform string) error {
	pins, err := fixtures.Pins()
	if err != nil {
		return err
	}
	valid := pins.Words(platform)
	if len(valid) > 0 && !slices.Contains(valid, word) {
		return unknownVersion(word, valid)
	}
	return nil
}

func checkMirror(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usagef("--pg-mirror is %q: give the http or https address of a Maven repository", text)
	}
	return nil
}

// set applies one experiment.knob=value.
func (r *request) set(text string, all []*runner.Experiment) error {
	path, value, assigned := strings.Cut(text, "=")
	name, knobName, dotted := strings.Cut(path, ".")
	if !assigned || !dotted {
		return usagef("--set is %q: write experiment.knob=value", text)
	}
	e := findExperiment(name, all)
	if e == nil {
		return unknown("experiment", name, experimentNames(all))
	}
	knob, ok := e.Knob(knobName)
	if !ok {
		return unknown("knob of "+name, knobName, knobNames(e))
	}
	v, err := knob.Parse(value)
	if err != nil {
		return usagef("--set %s: %v", text, err)
	}
	if r.knobs[name] == nil {
		return usagef("--set %s: experiment %q is not in this run; name it or leave the knob out", text, name)
	}
	r.knobs[name][knobName] = v
	return nil
}

func knobNames(e *runner.Experiment) []string {
	var names []string
	for _, k := range e.Knobs {
		names = append(names, k.Name)
	}
	return names
}
