package treedelete

import (
	"context"
	"fmt"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

var delaysTable = runner.TableSpec{Name: "delays", Title: "Time against the round trip",
	Note: "Generic plans. Every way took turns with every round trip, each execution of a way that waits a few times only after one of the same way that is not timed; the time is the median of the repeats and the interval their range. A way that waits for each row takes over a second with the longest round trip and is repeated less often; what was timed once has no interval.",
	Columns: []runner.Column{
		{Name: "way", Text: true}, {Name: "round_trip", Text: true}, {Name: "added_s", Unit: "s", Meaning: "round trip asked for"}, {Name: "valid", Text: true, Meaning: "the round trip is the one that was asked for"},
		{Name: "blocks", Meaning: "blocks of the tree"}, {Name: "round_trips", Meaning: "counted"},
		{Name: "time_s", Unit: "s"}, {Name: "low_s", Unit: "s"}, {Name: "high_s", Unit: "s"}, {Name: "repeats"},
		{Name: "server_s", Unit: "s", Meaning: "the rest: server and client"}, {Name: "waiting_s", Unit: "s", Meaning: "round trips x what was asked for"},
		{Name: "shown_ms", Unit: "ms", Meaning: "round trip asked for"}}}

// A wayDelay is a cell of the sweep.
type wayDelay struct {
	way   string
	delay time.Duration
}

func (w wayDelay) arm() string { return fmt.Sprintf("%s, %v", w.way, w.delay) }

// delaySweep times every way with every round trip, in turns.
func (b *bench) delaySweep(ctx context.Context) error {
	defer func() { closeAll(ctx, b.generic) }()
	if err := b.warm(ctx); err != nil {
		return err
	}
	b.delayed = b.out.Table(delaysTable)
	taken, err := b.cycle(ctx)
	if err != nil {
		return err
	}
	for _, delay := range b.roundTrips() {
		for _, name := range names() {
			b.keepDelay(wayDelay{name, delay}, taken[wayDelay{name, delay}])
		}
	}
	socket := map[string][]float64{}
	for _, name := range names() {
		socket[name] = taken[wayDelay{name, 0}]
	}
	if err := b.reportWays(ctx, socket); err != nil {
		return err
	}
	if err := b.farRatio(taken); err != nil {
		return err
	}
	if err := b.fitDelays(); err != nil {
		return err
	}
	if err := b.largeTree(ctx); err != nil {
		return err
	}
	b.delayFigures()
	b.concludeDelays()
	return nil
}

// warm executes every way six times without a round trip.
func (b *bench) warm(ctx context.Context) error {
	step := b.lab.Step("warm up every way, generic plans", 6)
	defer step.Done()
	for range 6 {
		for _, name := range names() {
			if _, err := b.generic[name].execute(ctx, 0); err != nil {
				return err
			}
		}
		step.Advance(1)
	}
	return nil
}

// timesAt is how often a way is repeated with a round trip: often where that is
// cheap, as often as asked for where it takes a second or more.
func (b *bench) timesAt(w wayDelay) int {
	far := b.lab.Knob("far_repeats")
	if e := b.generic[w.way]; e.flights(e.tree) < manyFlights {
		return max(far, b.lab.Knob("near_repeats"))
	}
	switch {
	case w.delay == 0:
		return max(far, min(repeats, b.lab.Knob("near_repeats")))
	case w.way == rowPrepared && w.delay < time.Millisecond:
		return max(far, 2)
	}
	return far
}

// cycle times every way with every round trip once a cycle, in a random order,
// as long as one of them is to be repeated.
func (b *bench) cycle(ctx context.Context) (map[wayDelay][]float64, error) {
	taken := map[wayDelay][]float64{}
	for k := 0; ; k++ {
		var cells []wayDelay
		var arms []runner.Arm
		for _, name := range names() {
			for _, delay := range b.roundTrips() {
				if w := (wayDelay{name, delay}); k < b.timesAt(w) {
					e := *b.generic[name]
					e.name, e.delay = w.arm(), delay
					cells, arms = append(cells, w), append(arms, b.following(&e))
				}
			}
		}
		if len(arms) == 0 {
			return taken, nil
		}
		samples, err := b.lab.TakeTurns(ctx, runner.Turns{Name: fmt.Sprintf("every way with every round trip, cycle %d", k+1),
			Arms: arms, Blocks: 1, PerVisit: 1, Single: true, Warmed: true, Sessions: b.sessions})
		if err != nil {
			return nil, err
		}
		for _, w := range cells {
			taken[w] = append(taken[w], samples.Of(w.arm())[0]...)
		}
	}
}

// following is the arm of an entry of which each execution follows one of the
// same way that is neither delayed nor timed, so that all round trips find the
// server alike. What waits once a row does not need it.
func (b *bench) following(e *entry) runner.Arm {
	arm := e.arm()
	if e.flights(e.tree) >= manyFlights {
		return arm
	}
	timed := arm.Once
	arm.Once = func(ctx context.Context) (time.Duration, error) {
		if _, err := e.execute(ctx, 0); err != nil {
			return 0, err
		}
		return timed(ctx)
	}
	return arm
}

// manyFlights tells what waits once a row from what waits once or a few times.
const manyFlights = 10

// keepDelay writes a row of the table.
func (b *bench) keepDelay(w wayDelay, taken []float64) {
	b.delayAt[w] = b.addDelay(w.way, w.delay, b.generic[w.way].tree, taken)
}

// addDelay adds a row; the round trips are those that each execution was held
// against.
func (b *bench) addDelay(name string, delay time.Duration, t tree, taken []float64) int {
	time := stat.Extremes(taken)
	var low, high any = time.Low, time.High
	if len(taken) == 1 {
		low, high = notRepeated, notRepeated
	}
	waiting := float64(wayNamed(name).flights(t)) * delay.Seconds()
	return b.delayed.Add(name, b.name(delay), delay, b.delays[delay].valid, t.blocks, wayNamed(name).flights(t), time.Median, low, high, len(taken),
		time.Median-waiting, waiting, float64(delay.Microseconds())/1e3)
}

var ratioTable = runner.TableSpec{Name: "far_statement", Title: "A statement across the network and in the server",
	Note: "Across: one prepared DELETE of the row-by-row form with the longest round trip. In the server: one static DELETE of the PL/pgSQL loop on the document under test, from the sweep. They did not take turns with each other, so the interval of the factor is made from those of both. It has no floor: neither form ran against itself, and what a floor tells, whether a ratio near 1 is one, is not asked of it. A ratio of the two forms is made where the slower one was repeated at least 5 times; it is too slow for blocks, so that its repeats have a range and no floor.",
	Columns: []runner.Column{{Name: "round_trip", Text: true}, {Name: "valid", Text: true}, {Name: "blocks", Meaning: "blocks of the tree"},
		{Name: "per_statement_s", Unit: "s", Meaning: "row by row, a statement, across the network"}, {Name: "local_per_statement_s", Unit: "s", Meaning: "PL/pgSQL loop, a statement, in the server (sweep.csv)"},
		{Name: "factor", Unit: "x", Meaning: "one over the other"}, {Name: "factor_low", Unit: "x"}, {Name: "factor_high", Unit: "x"}, {Name: "repeats", Meaning: "of the slower"},
		{Name: "ratio", Unit: "x", Meaning: "row by row over set-based"}, {Name: "low", Unit: "x"}, {Name: "high", Unit: "x"}}}

// farRatio compares a statement with the longest round trip with one in the
// server, and the two forms.
func (b *bench) farRatio(taken map[wayDelay][]float64) error {
	row, set := taken[wayDelay{rowPrepared, b.far()}], taken[wayDelay{setBased, b.far()}]
	local, err := b.out.Number(b.sweepRows.RefRange(b.sweep[3], "per_statement_s", "per_statement_low_s", "per_statement_high_s"))
	if err != nil {
		return err
	}
	n := float64(b.generic[rowPrepared].tree.rows())
	far := stat.Extremes(row).Times(1 / n)
	factor := apart(far, stat.Spread{Median: local.Value, Interval: stat.Interval{Low: local.Low, High: local.High}})
	few := runner.NA{Reason: "the row-by-row form was repeated fewer than 5 times"}
	cells := []any{few, few, few}
	if len(row) >= repeats {
		ratio, err := stat.RatioOfTurns(stat.Cut(row, len(row)), stat.Cut(set[:len(row)], len(row)), b.lab.Rand("far ratio"))
		if err != nil {
			return err
		}
		cells = []any{ratio.Ratio, ratio.Low, ratio.High}
	}
	b.farRows = b.out.Table(ratioTable)
	b.farRows.Add(append([]any{b.name(b.far()), b.delays[b.far()].valid, b.generic[rowPrepared].tree.blocks,
		far.Median, local.Value, factor.Median, factor.Low, factor.High, len(row)}, cells...)...)
	return nil
}
