package treedelete

import (
	"context"
	"fmt"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// The incident: 133,973 statements, which is a statement a row for 66,986
// blocks with one attribute each.
const incidentStatements = 133_973

var incidentTable = runner.TableSpec{Name: "incident", Title: "The incident: predicted, and where it was run, measured",
	Note: "The row-by-row form is predicted by time = s x statements + k x statements x round trip, the set-based one by c + s x rows + k x round trip, both fitted to small trees and the injected round trips (incident_fitted_on.csv). The round trip in them is the one that SELECT 1 saw in the same run, the server's waking up included. A tree and a round trip that no fit has seen are predicted first. What is outside of the fitted range is extrapolated; its interval is that of a new observation if the law holds.",
	Columns: []runner.Column{
		{Name: "case", Text: true}, {Name: "blocks", Meaning: "blocks of the tree"}, {Name: "statements"}, {Name: "round_trip_s", Unit: "s"}, {Name: "valid", Text: true},
		{Name: "predicted_s", Unit: "s"}, {Name: "predicted_low_s", Unit: "s"}, {Name: "predicted_high_s", Unit: "s"}, {Name: "extrapolated", Text: true},
		{Name: "measured_s", Unit: "s"}, {Name: "measured_over_predicted", Unit: "x"},
		{Name: "product_s", Unit: "s", Meaning: "statements x round trip, nothing else"}, {Name: "published_s", Unit: "s", Meaning: "of another tree and machine"}}}

var fittedOnTable = runner.TableSpec{Name: "incident_fitted_on", Title: "What the predictions are fitted on",
	Columns: []runner.Column{{Name: "form", Text: true}, {Name: "statements"}, {Name: "round_trip_s", Unit: "s"}, {Name: "time_s", Unit: "s", Meaning: "median"}, {Name: "fitted_s", Unit: "s"}, {Name: "fitted_over_measured", Unit: "x"}}}

// observation is a point of a fit.
type observation struct {
	statements int64
	delay      time.Duration
	time       float64 // s
}

// incident predicts the incident and, where asked for, runs it.
func (b *bench) incident(ctx context.Context) error {
	rowFit, setFit, err := b.fitIncident(ctx)
	if err != nil {
		return err
	}
	b.incidentRows = b.out.Table(incidentTable)
	if err := b.holdOut(ctx, rowFit); err != nil {
		return err
	}
	var measured map[string]float64
	if b.lab.Knob("incident") == 1 {
		if measured, err = b.runIncident(ctx); err != nil {
			return err
		}
	}
	blocks := (incidentStatements - 1) / 2
	b.incidentRow = b.addIncident("row by row", blocks, incidentStatements, b.far(), rowFit.Predict(b.rowTerms(incidentStatements, b.far())), measured[rowPrepared], 387)
	b.incidentSet = b.addIncident("set-based", blocks, 3, b.far(), setFit.Predict(b.setTerms(incidentStatements, b.far())), measured[setBased], 8.7)
	b.incidentFindings()
	b.incidentFigure()
	b.concludeIncident()
	return nil
}

func (b *bench) rowTerms(statements int64, delay time.Duration) []float64 {
	return []float64{float64(statements), float64(statements) * b.delays[delay].seen}
}

func (b *bench) setTerms(rows int64, delay time.Duration) []float64 {
	return []float64{1, float64(rows), b.delays[delay].seen}
}

// fitIncident fits both forms: on the tree of the sweep of round trips, and on
// larger ones over the socket.
func (b *bench) fitIncident(ctx context.Context) (row, set stat.Fit, err error) {
	rows, sets, err := b.observations(ctx)
	if err != nil {
		return row, set, err
	}
	t := b.out.Table(fittedOnTable)
	row, err = fitTo(t, "row by row", []string{"statements", "statements x round trip"}, rows, b.rowTerms)
	if err != nil {
		return row, set, err
	}
	set, err = fitTo(t, "set-based", []string{"constant", "rows", "round trip"}, sets, b.setTerms)
	return row, set, err
}

// observations are the points of both fits: one tree at every round trip, and
// larger trees where that is quick.
func (b *bench) observations(ctx context.Context) (rows, sets []observation, err error) {
	n := tree{blocks: b.lab.Knob("delay_blocks")}.rows()
	for _, delay := range b.roundTrips() {
		for _, form := range []struct {
			way  string
			into *[]observation
		}{{rowPrepared, &rows}, {setBased, &sets}} {
			m, err := b.out.Number(b.delayed.Ref(b.delayAt[wayDelay{form.way, delay}], "time_s"))
			if err != nil {
				return nil, nil, err
			}
			*form.into = append(*form.into, observation{n, delay, m.Value})
		}
	}
	sizes := b.sizes()
	for _, at := range []struct {
		way    string
		blocks int
		delay  time.Duration
		into   *[]observation
	}{
		{rowPrepared, sizes[2], 0, &rows}, {rowPrepared, sizes[2], delays[1], &rows},
		{setBased, sizes[2], 0, &sets}, {setBased, sizes[3], 0, &sets}, {setBased, sizes[4], 0, &sets},
	} {
		times, warmup := 3, 1
		if at.delay > 0 {
			times, warmup = 1, 0
		}
		taken, err := b.timesOf(ctx, wayNamed(at.way), at.blocks, at.delay, times, warmup)
		if err != nil {
			return nil, nil, err
		}
		*at.into = append(*at.into, observation{tree{blocks: at.blocks}.rows(), at.delay, stat.Median(taken)})
	}
	return rows, sets, nil
}

// fitTo fits a form and shows how near the fit comes to each point.
func fitTo(t *runner.Table, form string, terms []string, seen []observation, of func(int64, time.Duration) []float64) (stat.Fit, error) {
	var x [][]float64
	var y []float64
	for _, o := range seen {
		x, y = append(x, of(o.statements, o.delay)), append(y, o.time)
	}
	f, err := stat.FitTerms(terms, x, y)
	if err != nil {
		return f, fmt.Errorf("fitting the %s form: %w", form, err)
	}
	for i, o := range seen {
		fitted := f.Predict(x[i]).Value
		t.Add(form, o.statements, o.delay, o.time, fitted, fitted/o.time)
	}
	return f, nil
}

// holdOut predicts trees that the fit has not seen and then runs them.
func (b *bench) holdOut(ctx context.Context, f stat.Fit) error {
	step := b.lab.Step("a tree and a round trip that no fit has seen", 0)
	defer step.Done()
	blocks := b.sizes()[1]
	n := tree{blocks: blocks}.rows()
	taken, err := b.timesOf(ctx, wayNamed(rowPrepared), blocks, heldOutDelay, 1, 0)
	if err != nil {
		return err
	}
	b.heldOut = b.addIncident("held out: a tree and a round trip that the fit has not seen", blocks, n, heldOutDelay, f.Predict(b.rowTerms(n, heldOutDelay)), stat.Median(taken), 0)
	if row, ok := b.large[rowPrepared]; ok {
		m, err := b.out.Number(b.delayed.Ref(row, "time_s"))
		if err != nil {
			return err
		}
		blocks, n = b.lab.Knob("blocks"), tree{blocks: b.lab.Knob("blocks")}.rows()
		b.addIncident("held out: the document under test", blocks, n, b.far(), f.Predict(b.rowTerms(n, b.far())), m.Value, 0)
	}
	return nil
}

// addIncident writes a prediction down beside what was measured, 0 when it was
// not, and published, 0 when it was not.
func (b *bench) addIncident(name string, blocks int, statements int64, delay time.Duration, p stat.Prediction, measured, published float64) int {
	var took, over, known any = notRun, notRun, runner.NA{Reason: "the source has no such tree"}
	if measured > 0 {
		took, over = measured, measured/p.Value
	}
	if published > 0 {
		known = published
	}
	return b.incidentRows.Add(name, blocks, statements, delay, b.delays[delay].valid, p.Value, p.Low, p.High, p.Extrapolated, took, over,
		float64(statements)*delay.Seconds(), known)
}

var (
	notRun      = runner.NA{Reason: "not run at this scale: --set treedelete.incident=true runs it"}
	notRepeated = runner.NA{Reason: "timed once"}
)
