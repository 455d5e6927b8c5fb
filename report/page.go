package report

import (
	"fmt"
	"html/template"
	"strings"

	"deletecost/runner"
)

// page is all that the templates read. Text in it is plain; the templates
// escape it.
type page struct {
	Policy  string
	CSS     template.CSS
	Scripts []template.JS // empty: the figures cannot be drawn

	Title       string
	Facts       []string // one line beneath the title
	Banners     []banner
	Warnings    []string // of the run as a whole
	Experiments []experiment
	Run         run
	Account     *account // nil: not known
}

// banner says what a reader must know before any number.
type banner struct {
	Head, Text string
	Anchor     string // of the experiment, "" when it concerns the run
}

func newPage(f *runner.Folder, charts bool) (*page, error) {
	r := f.Record
	p := &page{Title: "What deleting costs", Warnings: r.Warnings, Run: newRun(r)}
	if r.PostgreSQL.Version != "" {
		p.Title += " in PostgreSQL " + r.PostgreSQL.Version
	}
	p.Facts = facts(r)
	var err error
	if p.Account, err = newAccount(r, charts); err != nil {
		return nil, err
	}
	if r.Interrupted {
		p.Banners = append(p.Banners, banner{Head: "This run was interrupted.",
			Text: "What had been measured until then is below; the rest was not measured."})
	}
	if len(r.Experiments) == 0 {
		p.Banners = append(p.Banners, banner{Head: "Nothing was measured.", Text: "The run ended before its first experiment did."})
	}
	for _, o := range r.Experiments {
		if o.Error != "" {
			p.Banners = append(p.Banners, failed(o))
		}
		e, err := newExperiment(f, o, charts)
		if err != nil {
			return nil, fmt.Errorf("experiment %q: %w", o.Experiment, err)
		}
		p.Experiments = append(p.Experiments, e)
	}
	return p, nil
}

// failed says that an experiment has an error, and points at what it measured
// before, if anything.
func failed(o runner.Outline) banner {
	b := banner{Head: o.Title + " did not run to its end:", Text: o.Error}
	if len(o.Tables) > 0 {
		b.Anchor = o.Experiment
	}
	return b
}

// facts is the line beneath the title.
func facts(r runner.Record) []string {
	all := []string{string(r.Scale) + " scale"}
	if !r.Started.IsZero() {
		all = append(all, r.Started.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	if r.Seconds > 0 {
		all = append(all, "took "+runner.Humanize(decimal(r.Seconds), "s"))
	}
	if r.Machine.CPU != "" {
		all = append(all, r.Machine.CPU)
	} else {
		all = append(all, r.Machine.OS)
	}
	return append(all, r.Program)
}

// experiment is one experiment's part of the page.
type experiment struct {
	Name, Title string
	Question    string
	Answer      [][]phrase
	Error       string
	Counts      []count
	Claims      []claim
	Shared      []reason // why several claims were not measured
	Figures     []figure
	Tables      []table // those that no figure draws
	Raw         []table // kept as CSV only
	Plans       []plan
	Method      []string
	Warnings    []string
	Unmeasured  []reason // all claims that were not measured
	Unshown     []string // what else the run does not show
	Knobs       []pair
	Servers     []servers
	Times       times
}

// phrase is a piece of a sentence; values are set off from the words.
type phrase struct {
	Text  string
	Value bool
}

// plan is EXPLAIN text to fold out.
type plan struct {
	ID, Title, File, SQL, Text string
}

func newExperiment(f *runner.Folder, o runner.Outline, charts bool) (experiment, error) {
	ts := f.Tables(o.Experiment)
	e := experiment{Name: o.Experiment, Title: o.Title, Question: o.Question, Error: o.Error, Method: o.Method,
		Warnings: o.Warnings, Knobs: knobs(o.Knobs), Servers: groupServers(o.Servers), Times: newTimes(o)}
	for _, s := range o.Answer {
		sentence, err := phrases(s, ts)
		if err != nil {
			return e, err
		}
		e.Answer = append(e.Answer, sentence)
	}
	outcomes, err := f.Outcomes(o)
	if err != nil {
		return e, err
	}
	e.Unmeasured, e.Unshown = newReasons(o, outcomes), o.Unmeasured
	e.Shared = shared(e.Unmeasured)
	e.Claims, e.Counts = newClaims(o, outcomes, e.Shared), countVerdicts(outcomes)
	prints := newPrints(o)
	if e.Figures, err = newFigures(f.Record, o, ts, prints, charts); err != nil {
		return e, err
	}
	e.Tables, e.Raw = prints.rest(o, ts)
	for _, p := range o.Plans {
		file := o.Experiment + "/" + p.Name + ".txt"
		e.Plans = append(e.Plans, plan{ID: file, Title: p.Title, File: file, SQL: p.SQL, Text: strings.TrimRight(p.Text, "\n")})
	}
	return e, nil
}

// phrases cuts a sentence at its values.
func phrases(s runner.Sentence, ts runner.Tables) ([]phrase, error) {
	text, err := s.In(ts)
	if err != nil {
		return nil, err
	}
	if len(s.Refs) == 0 {
		return []phrase{{Text: text}}, nil // it may be an error's text, with braces of its own
	}
	var all []phrase
	for i, words := range strings.Split(s.Text, "{}") {
		if i > 0 {
			cell, err := ts.Cell(s.Refs[i-1])
			if err != nil {
				return nil, err
			}
			all = append(all, phrase{Text: cell.String(), Value: true})
		}
		all = append(all, phrase{Text: words})
	}
	return all, nil
}
