package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Result collects what one experiment measures. Everything in it is on disk
// or in run.json, and stays when the experiment fails.
type Result struct {
	dir    string // the experiment's folder
	claims map[string]Claim
	tables Tables
	other  string // what differs from the published parameters, "" when nothing does
	err    error  // the first misuse

	Outline
}

// An Outline is the part of a result that run.json holds; its numbers are in
// the tables.
type Outline struct {
	Experiment string         `json:"experiment"`
	Title      string         `json:"title"`
	Question   string         `json:"question"`
	Knobs      Values         `json:"knobs"`
	Answer     []Sentence     `json:"answer,omitempty"`
	Method     []string       `json:"method,omitempty"` // paragraphs
	Tables     []TableOutline `json:"tables,omitempty"`
	Figures    []Figure       `json:"figures,omitempty"`
	Plans      []Plan         `json:"plans,omitempty"`
	Findings   []Finding      `json:"findings,omitempty"`
	Unmeasured []string       `json:"unmeasured,omitempty"` // what the experiment cannot show
	Warnings   []string       `json:"warnings,omitempty"`
	Servers    []ServerRecord `json:"servers,omitempty"`
	Steps      []StepRecord   `json:"steps,omitempty"`
	Seconds    float64        `json:"seconds"`
	Phases     *Phases        `json:"phases,omitempty"` // nil as Record.Account is
	Error      string         `json:"error,omitempty"`  // "" when it ran to its end
}

// A TableOutline is a table without its rows.
type TableOutline struct {
	TableSpec
	Reasons []string `json:"reasons,omitempty"` // why cells are n/a
	RowsN   int      `json:"rows"`
}

func newResult(dir string, e *Experiment, knobs Values, claims []Claim) (*Result, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of experiment %q: %w", e.Name, err)
	}
	r := &Result{dir: dir, claims: map[string]Claim{}, tables: Tables{}}
	r.Outline = Outline{Experiment: e.Name, Title: e.Title, Question: e.Question, Knobs: knobs}
	for _, c := range claims {
		if c.Experiment == e.Name {
			r.claims[c.ID] = c
		}
	}
	return r, nil
}

// Table starts a table; its CSV is in the experiment's folder at once.
func (r *Result) Table(spec TableSpec) *Table {
	if _, twice := r.tables[spec.Name]; twice {
		r.misuse(fmt.Errorf("starting table %q twice", spec.Name))
	}
	t := createTable(r.dir, spec)
	r.tables[spec.Name] = t
	r.Tables = append(r.Tables, TableOutline{TableSpec: spec})
	return t
}

// Measured points a claim at its measured values; why is the mechanism. At
// other than the published parameters a size-bound claim becomes "not measured".
func (r *Result) Measured(claim string, why Sentence, at ...Ref) {
	c, ok := r.take(claim)
	if !ok {
		return
	}
	if c.SizeBound && r.other != "" {
		r.Findings = append(r.Findings, Finding{Claim: c, Why: Say("not measured at this scale: " + r.other)})
		return
	}
	r.Findings = append(r.Findings, Finding{Claim: c, At: at, Why: why})
}

// NotMeasured says why a claim has no value.
func (r *Result) NotMeasured(claim, why string) {
	if c, ok := r.take(claim); ok {
		r.Findings = append(r.Findings, Finding{Claim: c, Why: Say(why)})
	}
}

// take hands out each claim of the experiment once.
func (r *Result) take(claim string) (Claim, bool) {
	c, ok := r.claims[claim]
	if !ok {
		r.misuse(fmt.Errorf("finding on %q: not an open claim of experiment %q", claim, r.Experiment))
	}
	delete(r.claims, claim)
	return c, ok
}

// NotAsPublished says what differs from the published parameters: "6 of 50
// cycles". Size-bound claims are then not measured.
func (r *Result) NotAsPublished(what string) { r.other = what }

// AsPublished says whether the run has the published parameters.
func (r *Result) AsPublished() bool { return r.other == "" }

// Conclude adds a sentence to the answer at the head of the report.
func (r *Result) Conclude(s Sentence) { r.Answer = append(r.Answer, s) }

// Explain adds a paragraph on the method.
func (r *Result) Explain(paragraph string) { r.Method = append(r.Method, paragraph) }

// Figure adds a figure.
func (r *Result) Figure(f Figure) { r.Figures = append(r.Figures, f) }

// NotShown adds a line to "what was not measured".
func (r *Result) NotShown(what string) { r.Unmeasured = append(r.Unmeasured, what) }

// Warn adds a warning that belongs to the result.
func (r *Result) Warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// Plan keeps a plan as <name>.txt.
func (r *Result) Plan(p Plan) {
	r.Plans = append(r.Plans, p)
	r.misuse(os.WriteFile(filepath.Join(r.dir, p.Name+".txt"), []byte(p.Text), 0o644))
}

func (r *Result) misuse(err error) {
	if r.err == nil {
		r.err = err
	}
}

// close ends the result: claims without a finding get the experiment's error
// as their reason, or are themselves an error.
func (r *Result) close(ran error) error {
	err := errors.Join(ran, r.err)
	for i, o := range r.Tables {
		t := r.tables[o.Name]
		err = errors.Join(err, t.close())
		r.Tables[i].Reasons, r.Tables[i].RowsN = t.Reasons, len(t.Rows)
	}
	if left := r.untaken(); len(left) > 0 {
		if err == nil {
			err = fmt.Errorf("experiment %q ended without a finding on %q", r.Experiment, left)
		}
		for _, id := range left {
			r.NotMeasured(id, "the experiment ended before: "+err.Error())
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
	return err
}

func (r *Result) untaken() []string {
	var left []string
	all, _ := Claims()
	for _, c := range all {
		if _, open := r.claims[c.ID]; open {
			left = append(left, c.ID)
		}
	}
	return left
}

// Word reads a cell back as text.
func (r *Result) Word(at Ref) (string, bool) {
	c, err := r.tables.Cell(at)
	return c.Text, err == nil
}

// A Measure is a measured number with its interval, which is the number twice
// where it has none.
type Measure struct{ Value, Low, High float64 }

// Number reads a measured number back, so that what is computed from it starts
// from the very cell that is shown.
func (r *Result) Number(at Ref) (Measure, error) {
	c, err := r.tables.Cell(at)
	if err != nil {
		return Measure{}, err
	}
	value, isNumber := c.Number()
	low, high, ok := c.Interval()
	if !isNumber || !ok {
		return Measure{}, fmt.Errorf("reading %s.csv row %d: %q is not a number", at.Table, at.Row, c.Text)
	}
	return Measure{value, low, high}, nil
}
