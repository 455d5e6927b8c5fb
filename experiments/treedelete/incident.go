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
	Note: "The row-by-row form is predicted by time = s x statements + k x statements x round trip, the set-based one by c + s x rows + k x round trip, both fitted to small trees and the injected round trips (incident_fitted_on.csv). The round trip in them is the one that SELECT 1 saw in the same run, the server's waking up included. Trees that the fit has not seen are predicted first, one with a round trip that it has not seen either; the row-by-row fit rests on trees with an added round trip only. What is outside of the fitted range is extrapolated; its interval is that of a new observation if the law holds, cut at 0, and measured over predicted has the same. The incident is a first execution, as it was.",
	Columns: []runner.Column{
		{Name: "case", Text: true}, {Name: "blocks", Meaning: "blocks of the tree"}, {Name: "statements"}, {Name: "round_trip_s", Unit: "s"}, {Name: "valid", Text: true},
		{Name: "predicted_s", Unit: "s"}, {Name: "predicted_low_s", Unit: "s"}, {Name: "predicted_high_s", Unit: "s"}, {Name: "extrapolated", Text: true},
		{Name: "measured_s", Unit: "s"}, {Name: "measured_over_predicted", Unit: "x"}, {Name: "over_low", Unit: "x"}, {Name: "over_high", Unit: "x"},
		{Name: "product_s", Unit: "s", Meaning: "statements x round trip, nothing else"}, {Name: "published_s", Unit: "s", Meaning: "of another tree and machine"}}}

var fittedOnTable = runner.TableSpec{Name: "incident_fitted_on", Title: "What the predictions are fitted on",
	Columns: []runner.Column{{Name: "form", Text: true}, {Name: "statements"}, {Name: "round_trip_s", Unit: "s"}, {Name: "time_s", Unit: "s", Meaning: "median, or the time of what was timed once"}, {Name: "fitted_s", Unit: "s"}, {Name: "fitted_over_measured", Unit: "x"}}}

// observation is a point of a fit.
type observation struct {
	statements int64
	delay      time.Duration
	time       float64 // s
}

// incident predicts the incident and, where asked for, runs it.
func (b *bench) incident(ctx context.Context) error {
	step := b.lab.Step("larger trees for the fit, and trees that it does not see", 0)
	defer step.Done()
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
	if err != nil {
		return row, set, err
	}
	coefficients := b.out.Table(coefficientsTable)
	for _, form := range []struct {
		name string
		stat.Fit
	}{{"row by row", row}, {"set-based", set}} {
		for j, c := range form.Coefficients {
			coefficients.Add(form.name, form.Terms[j], c.Value, c.Low, c.High, form.N, form.DegreesOfFreedom, 100*form.ResidualSD, 1+form.MaxRelativeError, b.allValid())
		}
	}
	return row, set, nil
}

var coefficientsTable = runner.TableSpec{Name: "incident_fit", Title: "The two fits",
	Note: "Coefficients in seconds for a statement, a row or a constant, and without a unit for round trips, with 95 % intervals; how far the points lie from the fit.",
	Columns: []runner.Column{{Name: "form", Text: true}, {Name: "term", Text: true}, {Name: "coefficient"}, {Name: "low"}, {Name: "high"},
		{Name: "points"}, {Name: "degrees_of_freedom"}, {Name: "residual_sd", Unit: "%"}, {Name: "largest_error", Unit: "x", Meaning: "fitted against measured, the farthest from 1"}, {Name: "valid", Text: true}}}

// allValid says whether every round trip that the fits rest on is the one that
// was asked for.
func (b *bench) allValid(others ...time.Duration) bool {
	for _, delay := range append(b.roundTrips(), others...) {
		if !b.delays[delay].valid {
			return false
		}
	}
	return true
}

// fitTrees are the larger tree that the row-by-row fit has seen and the one that
// it has not: the next two sizes above the tree of the round trips, or where
// there is one only, that one is held out.
func (b *bench) fitTrees() (seen, heldOut int) {
	var larger []int
	for _, n := range b.sizes() {
		if n > b.lab.Knob("delay_blocks") {
			larger = append(larger, n)
		}
	}
	if len(larger) > 1 {
		return larger[0], larger[1]
	}
	return b.sizes()[2], larger[0]
}

// observations are the points of both fits: one tree at every round trip, and
// larger trees. The row-by-row form is fitted across the network only, since a
// server that is asked at once answers sooner than one that has idled.
func (b *bench) observations(ctx context.Context) (rows, sets []observation, err error) {
	n := tree{blocks: b.lab.Knob("delay_blocks")}.rows()
	for i, delay := range b.roundTrips() {
		for _, form := range []struct {
			way  string
			into *[]observation
			from int // place of the first round trip
		}{{rowPrepared, &rows, 1}, {setBased, &sets, 0}} {
			m, err := b.out.Number(b.delayed.Ref(b.delayAt[wayDelay{form.way, delay}], "time_s"))
			if err != nil {
				return nil, nil, err
			}
			if i >= form.from {
				*form.into = append(*form.into, observation{n, delay, m.Value})
			}
		}
	}
	seen, _ := b.fitTrees()
	sizes := b.sizes()
	for _, at := range []struct {
		way    string
		blocks int
		delay  time.Duration
		times  int
		into   *[]observation
	}{
		{rowPrepared, seen, delays[2], 1, &rows},
		{setBased, sizes[2], 0, 3, &sets}, {setBased, sizes[3], 0, 3, &sets}, {setBased, sizes[4], 0, 3, &sets},
	} {
		taken, err := b.timesOf(ctx, wayNamed(at.way), at.blocks, at.delay, at.times, 1)
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

// holdOut predicts two trees that the fit has not seen, one of them with a round
// trip that it has not seen either, and then runs them.
func (b *bench) holdOut(ctx context.Context, f stat.Fit) error {
	_, unseen := b.fitTrees()
	taken, err := b.timesOf(ctx, wayNamed(rowPrepared), unseen, heldOutDelay, 1, 1)
	if err != nil {
		return err
	}
	b.addHeldOut("held out: tree and round trip", unseen, heldOutDelay, f, taken[0])
	if row, ok := b.large[rowPrepared]; ok {
		m, err := b.out.Number(b.delayed.Ref(row, "time_s"))
		if err != nil {
			return err
		}
		b.addHeldOut("held out: tree", b.lab.Knob("blocks"), b.far(), f, m.Value)
		return nil
	}
	seen, _ := b.fitTrees() // seen with another round trip
	if taken, err = b.timesOf(ctx, wayNamed(rowPrepared), seen, b.far(), 1, 1); err != nil {
		return err
	}
	b.addHeldOut("held out: this tree with this round trip", seen, b.far(), f, taken[0])
	return nil
}

func (b *bench) addHeldOut(name string, blocks int, delay time.Duration, f stat.Fit, measured float64) {
	n := tree{blocks: blocks}.rows()
	b.heldOut = append(b.heldOut, b.addIncident(name, blocks, n, delay, f.Predict(b.rowTerms(n, delay)), measured, 0))
}

// addIncident writes a prediction down beside what was measured, 0 when it was
// not, and published, 0 when it was not.
func (b *bench) addIncident(name string, blocks int, statements int64, delay time.Duration, p stat.Prediction, measured, published float64) int {
	var took, over, low, high, known any = notRun, notRun, notRun, notRun, runner.NA{Reason: "the source has no such tree"}
	if measured > 0 {
		took, over, low, high = measured, measured/p.Value, measured/p.High, runner.NA{Reason: "the prediction's interval reaches 0"}
		if p.Low > 0 {
			high = measured / p.Low
		}
	}
	if published > 0 {
		known = published
	}
	return b.incidentRows.Add(name, blocks, statements, delay, b.allValid(delay), p.Value, max(p.Low, 0), p.High, p.Extrapolated, took, over, low, high,
		float64(statements)*delay.Seconds(), known)
}

var (
	notRun      = runner.NA{Reason: "not run at this scale: --set treedelete.incident=true runs it"}
	notRepeated = runner.NA{Reason: "timed once"}
)
