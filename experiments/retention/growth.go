package retention

import (
	"errors"
	"fmt"
	"math"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var growthTable = runner.TableSpec{Name: "growth", Title: "Growth of each step with the rows",
	Note:    "The slope of the logarithm of the time over that of the rows, over all of the source's runs: 0 is constant, 1 is linear. Intervals at 95 % by Student's t; a step of a millisecond is mostly noise, which the interval says.",
	Columns: []runner.Column{{Name: "step", Text: true}, {Name: "slope"}, {Name: "low"}, {Name: "high"}, {Name: "runs"}, {Name: "least_rows", Unit: "rows"}, {Name: "most_rows", Unit: "rows"}, {Name: "range", Unit: "x", Meaning: "most rows over least"}, {Name: "published", Text: true}, {Name: "triple", Unit: "x", Meaning: "time of three times the rows, by the slope"}, {Name: "triple_low", Unit: "x"}, {Name: "triple_high", Unit: "x"}, {Name: "triple_rate", Unit: "x", Meaning: "rows a second at three times the rows, by the slope"}, {Name: "triple_rate_low", Unit: "x"}, {Name: "triple_rate_high", Unit: "x"}}}

var growthPointsTable = runner.TableSpec{Name: "growth_points", Title: "Time of each step of the source's runs", Raw: true,
	Columns: []runner.Column{{Name: "step", Text: true, Meaning: "step, with the slope over all runs"}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "seconds", Unit: "s", Meaning: "time of the step"}}}

// A growing step is one whose time is held against the rows.
type growing struct {
	step, published string
	seconds         func(*retired) float64
}

var growingSteps = []growing{
	{"detach", "constant", func(r *retired) float64 { return r.diary.seconds("detach") }},
	{"export", "linear", func(r *retired) float64 { return r.diary.seconds("export") }},
	{"verify", "linear", func(r *retired) float64 { return r.diary.seconds("verify") }},
	{"archive", "linear", (*retired).archiveSeconds},
	{"drop", "constant", func(r *retired) float64 { return r.diary.seconds("drop") }},
	{"commit after drop", "linear", func(r *retired) float64 { return r.diary.seconds("commit") }},
	{"total", "linear", (*retired).totalSeconds},
}

// grow writes down how the steps grow, how the sizes compare, and what a
// straight line says.
func (b *bench) grow() error {
	b.slopes, b.growth = b.out.Table(growthTable), map[string]runner.Ref{}
	points := b.out.Table(growthPointsTable)
	for _, g := range growingSteps {
		var x, y []float64
		for _, s := range b.swept {
			x, y = append(x, float64(s.rows)), append(y, g.seconds(s.retired))
		}
		slope, err := stat.LogLogSlope(x, y)
		b.keepSlope(g, slope, err)
		name := g.step
		if err == nil {
			name = fmt.Sprintf("%s, slope %.2f", g.step, slope.Value)
		}
		if g.step == "archive" { // export and a little: the points would cover each other
			continue
		}
		for i := range x {
			points.Add(name, int(x[i]), y[i])
		}
	}
	b.scale()
	return b.fitLine()
}

// keepSlope writes down one slope. Two runs have no interval; that is a
// property of the knobs and no error.
func (b *bench) keepSlope(g growing, slope stat.Slope, err error) {
	least, most := b.sizes()[0], b.sizes()[len(b.sizes())-1]
	cells := []any{g.step, slope.Value, slope.Low, slope.High}
	if err != nil {
		no := runner.NA{Reason: "a slope needs three runs: " + err.Error()}
		cells = []any{g.step, no, no, no}
	}
	cells = append(cells, len(b.swept), least, most, float64(most)/float64(least), g.published)
	row := b.slopes.Add(append(cells, tripled(slope, err)...)...)
	b.growth[g.step] = b.slopes.RefRange(row, "slope", "low", "high")
}

// tripled are the time and the rate at three times the rows, as the source's
// sizes are apart, with their intervals.
func tripled(slope stat.Slope, err error) []any {
	if err != nil {
		no := runner.NA{Reason: "a slope needs three runs: " + err.Error()}
		return []any{no, no, no, no, no, no}
	}
	time, rate := slope.Grown(3), slope.RateGrown(3)
	return []any{time.Value, time.Low, time.High, rate.Value, rate.Low, rate.High}
}

var scalingTable = runner.TableSpec{Name: "scaling", Title: "The two largest sizes against each other",
	Note:    "One run of each, so that there is neither an interval nor a floor; the slope over all runs has an interval.",
	Columns: []runner.Column{{Name: "from_rows", Unit: "rows"}, {Name: "to_rows", Unit: "rows"}, {Name: "rows_ratio", Unit: "x"}, {Name: "archive_ratio", Unit: "x", Meaning: "archive time"}, {Name: "rate_ratio", Unit: "x", Meaning: "rows a second, of the whole"}}}

// scale compares the two largest sizes.
func (b *bench) scale() {
	t := b.out.Table(scalingTable)
	small, large := b.smaller(), b.largest()
	rate := func(s swept) float64 { return float64(s.archived()) / s.totalSeconds() }
	t.Add(small.rows, large.rows, float64(large.rows)/float64(small.rows), large.archiveSeconds()/small.archiveSeconds(), rate(large)/rate(small))
	b.scaling = t
}

var fitTable = runner.TableSpec{Name: "fit", Title: "A straight line and what it says of sizes that it has not seen",
	Note: "Time = a + b x rows, from the runs of the sizes up to fitted_to_rows; intervals hold one new run at 95 %, if the line holds. A case beyond the fitted sizes is extrapolated. The source's line, 15.6 s + 33.52 s a million rows a table, comes from two runs; its own later run of 16.7 million rows in all, 8.35 million a table, took 530 s.",
	Columns: []runner.Column{{Name: "case", Text: true}, {Name: "line", Text: true}, {Name: "million_rows", Meaning: "million rows a table"}, {Name: "predicted_s", Unit: "s"}, {Name: "predicted_low_s", Unit: "s"}, {Name: "predicted_high_s", Unit: "s"}, {Name: "measured_s", Unit: "s"}, {Name: "measured_over_predicted", Unit: "x"},
		{Name: "extrapolated", Text: true}, {Name: "fitted_to_rows", Unit: "rows"}, {Name: "fixed_s", Unit: "s", Meaning: "a"}, {Name: "per_million_s", Unit: "s", Meaning: "b, of a million rows a table"}}}

// The source's own line, in seconds and in seconds a million rows a table, and
// its later run.
const (
	sourceFixed, sourcePerMillion = 15.6, 33.52
	laterMillions, laterSeconds   = 8.35, 530
)

// fitLine fits the source's runs of every size but the third, and judges the
// line on that one.
func (b *bench) fitLine() error {
	b.fit = b.out.Table(fitTable)
	var x [][]float64
	var y []float64
	most := 0
	for _, s := range b.swept {
		if !b.heldOut(s) {
			most = max(most, s.rows)
			x, y = append(x, []float64{1, float64(s.rows) / 1e6}), append(y, s.archiveSeconds())
		}
	}
	line, err := stat.FitTerms([]string{"run", "million rows"}, x, y)
	if err != nil {
		return b.twoPointLine(x, y)
	}
	f := fitted{at: func(millions float64) (float64, any, any) {
		p := line.Predict([]float64{1, millions})
		return p.Value, p.Low, p.High
	}, to: most, fixed: line.Coefficients[0].Value, perMillion: line.Coefficients[1].Value}
	b.predict(f)
	return nil
}

// twoPointLine is the line through two runs, which has no error, as the
// source's has none.
func (b *bench) twoPointLine(x [][]float64, y []float64) error {
	fewer := errors.New("fitting a line: it takes runs of two sizes")
	if len(y) != 2 {
		return fewer
	}
	fixed, slope, ok := stat.LineThrough(x[0][1], y[0], x[1][1], y[1])
	if !ok {
		return fewer
	}
	no := runner.NA{Reason: "a line through two runs has no error"}
	b.predict(fitted{at: func(millions float64) (float64, any, any) {
		return fixed + slope*millions, no, no
	}, to: b.lab.Knob("rows_second"), fixed: fixed, perMillion: slope})
	return nil
}

// A fitted line predicts a time with its interval, at millions of rows a table.
type fitted struct {
	at                func(millions float64) (value float64, low, high any)
	to                int // rows of the largest size that it has seen
	fixed, perMillion float64
}

// The cases of the fit.
const (
	heldOutSize   = "held-out size"
	hundred       = "100M rows a table"
	laterRun      = "the source's later run"
	ownLine       = "this run's"
	publishedLine = "the source's"
)

var fitPointsTable = runner.TableSpec{Name: "fit_points", Title: "Runs that the line was fitted to, and the one held out", Raw: true,
	Columns: []runner.Column{{Name: "run", Text: true}, {Name: "use", Text: true}, {Name: "million_rows", Meaning: "million rows a table"}, {Name: "archive_s", Unit: "s", Meaning: "archive time"}}}

// keepFitPoints writes down the runs beside the line.
func (b *bench) keepFitPoints() {
	t := b.out.Table(fitPointsTable)
	for _, s := range b.swept {
		use := "fitted to"
		if b.heldOut(s) {
			use = "held out"
		}
		t.Add(s.name, use, float64(s.rows)/1e6, s.archiveSeconds())
	}
}

// predict writes down what the line says of the size it has not seen, of 100M
// rows, and what the source's line says of the source's own later run.
func (b *bench) predict(f fitted) {
	no := runner.NA{Reason: "not run"}
	add := func(name string, millions float64, measured any) {
		value, low, high := f.at(millions)
		ratio := any(no)
		if m, ok := measured.(float64); ok {
			ratio = m / value
		}
		b.fit.Add(name, ownLine, millions, value, low, high, measured, ratio, millions*1e6 > float64(f.to), f.to, f.fixed, f.perMillion)
	}
	if s, ok := b.third(); ok {
		add(heldOutSize, float64(s.rows)/1e6, s.archiveSeconds())
	}
	add(hundred, 100, no)
	none := runner.NA{Reason: "a line through two runs has no error"}
	said := sourceFixed + sourcePerMillion*laterMillions
	b.fit.Add(laterRun, publishedLine, laterMillions, said, none, none, float64(laterSeconds), laterSeconds/said, false, 30_000_000, sourceFixed, sourcePerMillion)
	b.keepBand(f)
	b.keepFitPoints()
}

var bandTable = runner.TableSpec{Name: "fit_band", Title: "The fitted line with its band", Raw: true,
	Columns: []runner.Column{{Name: "million_rows", Meaning: "million rows a table"}, {Name: "archive_s", Unit: "s", Meaning: "archive time"}, {Name: "low_s", Unit: "s"}, {Name: "high_s", Unit: "s"}}}

// bandSteps is how many points the line is drawn through.
const bandSteps = 24

// keepBand writes the line down in equal steps of the logarithm, from the
// smallest size to 100M.
func (b *bench) keepBand(f fitted) {
	t := b.out.Table(bandTable)
	from := float64(b.sizes()[0]) / 1e6
	for i := range bandSteps {
		m := from * math.Pow(100/from, float64(i)/(bandSteps-1))
		value, low, high := f.at(m)
		t.Add(m, value, low, high)
	}
}
