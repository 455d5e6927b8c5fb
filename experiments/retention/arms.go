package retention

import (
	"context"
	"fmt"
	"slices"
	"time"

	"deletecost/experiments/retention/archive"
	"deletecost/runner"
	"deletecost/runner/stat"
)

var armsTable = runner.TableSpec{Name: "methods", Title: "Methods of archiving in turns, nobody writing",
	Note: "The month has primary keys only, since no other index is read. Each turn loads it anew for each method, in a random order; the figure is the median of the turns and the interval their range. The ratio is taken turn by turn; since each method needs a month that was loaded for it, it is repeated, its range is shown, and no method runs against itself, so that there is no floor. CPU is all of this program and of all of the server's processes from the first step of the pipeline to its last, over the archived rows of all turns; memory is the most that the Go runtime held of the system at once, beyond what it held before.",
	Columns: []runner.Column{{Name: "method", Text: true}, {Name: "gzip_level"}, {Name: "rows", Unit: "rows", Meaning: "rows a table"}, {Name: "turns"},
		{Name: "archive_s", Unit: "s"}, {Name: "archive_low_s", Unit: "s"}, {Name: "archive_high_s", Unit: "s"}, {Name: "rows_per_s", Unit: "rows/s", Meaning: "archived rows a second"}, {Name: "rows_per_s_low", Unit: "rows/s"}, {Name: "rows_per_s_high", Unit: "rows/s"},
		{Name: "source_over_this", Unit: "x", Meaning: "archive time of the source's method over this"}, {Name: "ratio_low", Unit: "x"}, {Name: "ratio_high", Unit: "x"},
		{Name: "client_cpu_us", Unit: "µs", Meaning: "CPU of this program per row"}, {Name: "server_cpu_us", Unit: "µs", Meaning: "CPU of the server per row"}, {Name: "memory_bytes", Unit: "bytes", Meaning: "the most memory held at once"},
		{Name: "archive_bytes_per_row", Unit: "bytes"}}}

var turnsTable = runner.TableSpec{Name: "method_turns", Title: "Turns of the methods", Raw: true,
	Columns: []runner.Column{{Name: "turn", Meaning: "from 0, as in noise.csv"}, {Name: "method", Text: true}, {Name: "archive_s", Unit: "s"}, {Name: "client_cpu_s", Unit: "s"}, {Name: "server_cpu_s", Unit: "s"}, {Name: "memory_bytes", Unit: "bytes"}, {Name: "noisy", Text: true, Meaning: "somebody else disturbed the turn"}}}

// An arm is a method that is compared.
type arm struct {
	name string // for people
	plan
	done []*retired // by turn
}

// sourceLevel is the gzip level of the source, which archive.MethodSource always
// has.
const sourceLevel = 6

// armsOf are the methods: the source's first, ours at the level that it has,
// and ours as it is.
func (b *bench) armsOf() []*arm {
	arms := []*arm{
		{name: "source's, gzip 6", plan: plan{method: archive.MethodSource, level: sourceLevel}},
		{name: "ours, gzip 6", plan: plan{method: archive.MethodCopy, level: sourceLevel}},
	}
	if level := b.lab.Knob("level"); level != sourceLevel {
		arms = append(arms, &arm{name: fmt.Sprintf("ours, gzip %d", level), plan: plan{method: archive.MethodCopy, level: level}})
	}
	return arms
}

// arms lets the methods take turns.
func (b *bench) arms(ctx context.Context) error {
	arms := b.armsOf()
	turns := b.out.Table(turnsTable)
	one := func(a *arm) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) {
			p := a.plan
			p.name, p.schema, p.rows, p.measured = fmt.Sprintf("turn-%d-%s-%d", len(a.done)+1, p.method, p.level), bare, b.lab.Knob("arm_rows"), true
			r, err := b.retire(ctx, p)
			if err != nil {
				return 0, err
			}
			a.done = append(a.done, r)
			b.record(r)
			return time.Duration(r.archiveSeconds() * float64(time.Second)), nil
		}
	}
	var timed []runner.Arm
	for _, a := range arms {
		timed = append(timed, runner.Arm{Name: a.name, Once: one(a)})
	}
	samples, err := b.lab.TakeTurns(ctx, runner.Turns{Name: "methods in turns", Arms: timed, Blocks: b.lab.Knob("arm_repeats"), PerVisit: 1,
		Single: true, Warmed: true, Keep: func(turn int, _ [][]float64, n runner.Noise) {
			for _, a := range arms {
				r := a.done[turn]
				turns.Add(turn, a.name, r.archiveSeconds(), cpuCell(r.used.client), cpuCell(r.used.server), r.used.memory, n.Noisy())
			}
		}})
	if err != nil {
		return err
	}
	return b.compareArms(arms, samples)
}

var cpuUntold = runner.NA{Reason: "the CPU time is not told on this platform"}

// cpuCell is a CPU time, or n/a.
func cpuCell(s float64) any {
	if s < 0 {
		return cpuUntold
	}
	return s
}

// compareArms writes each method down beside the source's.
func (b *bench) compareArms(arms []*arm, samples *runner.Samples) error {
	b.methods = b.out.Table(armsTable)
	for _, a := range arms {
		var seconds, rates []float64
		for _, r := range a.done {
			seconds, rates = append(seconds, r.archiveSeconds()), append(rates, float64(r.archived())/r.archiveSeconds())
		}
		ratios, err := stat.BlockRatios(samples.Of(arms[0].name), samples.Of(a.name))
		if err != nil {
			return fmt.Errorf("comparing methods: %w", err)
		}
		client, server, memory := a.used()
		r := a.done[0]
		cells := slices.Concat([]any{a.name, a.level, r.rows, len(a.done)}, ranged(seconds), ranged(rates), ranged(ratios),
			[]any{client, server, memory, float64(r.outcome.Bytes) / float64(r.archived())})
		b.methods.Add(cells...)
	}
	b.armFigures()
	b.concludeArms(b.methods, len(arms)-1)
	return nil
}

// ranged are the median of repeats and the ends of their range, which is no
// interval below five of them.
func ranged(xs []float64) []any {
	s := stat.Extremes(xs)
	if !s.Enough() {
		few := runner.NA{Reason: "fewer than 5 turns have no interval"}
		return []any{s.Median, few, few}
	}
	return []any{s.Median, s.Low, s.High}
}

// used is the CPU of all turns over their rows, in microseconds, and the most
// memory. The server's is counted in ticks of 10 ms, which a mean evens out.
func (a *arm) used() (client, server any, memory float64) {
	perRow := func(of func(usage) float64) any {
		var sum, rows float64
		for _, r := range a.done {
			if of(r.used) < 0 {
				return cpuUntold
			}
			sum, rows = sum+of(r.used), rows+float64(r.archived())
		}
		return sum / rows * 1e6
	}
	for _, r := range a.done {
		memory = max(memory, r.used.memory)
	}
	return perRow(func(u usage) float64 { return u.client }), perRow(func(u usage) float64 { return u.server }), memory
}

// concludeArms says how fast ours is.
func (b *bench) concludeArms(t *runner.Table, fastest int) {
	b.out.Conclude(runner.Say("Without writers the source's method takes {} the time of ours at the same gzip level, and {} of ours at its own, {} against {}; ours writes {} a row instead of {} and held {} of memory.",
		t.RefRange(1, "source_over_this", "ratio_low", "ratio_high"), t.RefRange(fastest, "source_over_this", "ratio_low", "ratio_high"),
		t.Ref(0, "rows_per_s"), t.Ref(fastest, "rows_per_s"), t.Ref(fastest, "archive_bytes_per_row"), t.Ref(0, "archive_bytes_per_row"), t.Ref(fastest, "memory_bytes")))
}
