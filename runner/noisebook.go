package runner

import (
	"fmt"
	"slices"
	"sync"
)

// A noiseBook writes down what disturbed each timed block of an experiment.
type noiseBook struct {
	out     *Result
	writing sync.Mutex // load is watched beside a pipeline
	blocks  *Table     // nil until something was timed
	turns   *Table     // nil until something was timed whose samples the experiment does not keep
	parts   []noisePart
	placed  string // where client and sessions are while arms take turns; "" where nobody was to be bound
}

// A noisePart is the sum of the blocks of one part.
type noisePart struct {
	name          string
	blocks, noisy int
	noise         Noise
}

// The tables that the runner writes for every experiment that times something.
const (
	noiseTable       = "noise"
	noiseByPartTable = "noise_by_part"
)

var noiseColumns = []Column{
	{Name: "steal_s", Unit: "s", Meaning: "CPU that the hypervisor took, all CPUs"}, {Name: "pressure_s", Unit: "s", Meaning: "some task waited for a CPU"},
	{Name: "switches", Meaning: "involuntary context switches of the timing process"}, {Name: "longest_gap_s", Unit: "s", Meaning: "longest pause between two executions"}}

var noiseSpec = TableSpec{Name: noiseTable, Title: "What disturbed each timed block", Raw: true,
	Columns: slices.Concat([]Column{{Name: "part", Text: true}, {Name: "block", Meaning: "from 0; of what cannot take turns, the execution"},
		{Name: "noisy", Text: true, Meaning: "steal above 0 or a pause over 1 ms"}}, noiseColumns)}

var noiseByPartSpec = TableSpec{Name: noiseByPartTable, Title: "What disturbed the timings",
	Note: "A block is noisy when the hypervisor took CPU time or the timing thread paused for over a millisecond between two executions. Noisy blocks are marked in noise.csv and kept.",
	Columns: slices.Concat([]Column{{Name: "part", Text: true}, {Name: "blocks", Meaning: "timed; of what cannot take turns, executions"},
		{Name: "noisy_blocks"}, {Name: "noisy_share", Unit: "%"}}, noiseColumns)}

var turnsSpec = TableSpec{Name: "turns", Title: "Every timed execution of what took turns", Raw: true,
	Columns: []Column{{Name: "part", Text: true}, {Name: "arm", Text: true}, {Name: "block", Meaning: "from 0, as in noise.csv"}, {Name: "execution", Meaning: "within the block, from 0"},
		{Name: "seconds", Unit: "s"}, {Name: "noisy", Text: true, Meaning: "somebody else disturbed the block"}}}

// keep writes the samples of a block down.
func (b *noiseBook) keep(t Turns, block int, seconds [][]float64, n Noise) {
	if b.turns == nil {
		b.turns = b.out.Table(turnsSpec)
	}
	for i, arm := range t.Arms {
		for k, s := range seconds[i] {
			b.turns.Add(t.Name, arm.Name, block, k, s, n.Noisy())
		}
	}
}

// cells are those of noiseColumns.
func (n Noise) cells() []any {
	var all []any
	for _, v := range []float64{n.Steal, n.Pressure, float64(n.Switches)} {
		all = append(all, told(v, "this system does not tell"))
	}
	return append(all, told(n.Gap, "a single execution has no pause between two"))
}

func told(v float64, reason string) any {
	if v < 0 {
		return NA{Reason: reason}
	}
	return v
}

// add writes a block down.
func (b *noiseBook) add(part string, block int, n Noise) {
	b.writing.Lock()
	defer b.writing.Unlock()
	if b.blocks == nil {
		b.blocks = b.out.Table(noiseSpec)
	}
	b.blocks.Add(slices.Concat([]any{part, block, n.Noisy()}, n.cells())...)
	p := b.part(part)
	p.blocks++
	if n.Noisy() {
		p.noisy++
	}
	p.noise = Noise{Steal: p.noise.Steal + n.Steal, Pressure: p.noise.Pressure + n.Pressure, Gap: max(p.noise.Gap, n.Gap), Switches: p.noise.Switches + n.Switches}
}

// part finds a part or begins it.
func (b *noiseBook) part(name string) *noisePart {
	for i := range b.parts {
		if b.parts[i].name == name {
			return &b.parts[i]
		}
	}
	b.parts = append(b.parts, noisePart{name: name, noise: Noise{Gap: -1}})
	return &b.parts[len(b.parts)-1]
}

// sum writes the parts down, and where sessions were.
func (b *noiseBook) sum() {
	if b.placed != "" {
		b.out.Explain("While arms on several sessions take turns, " + b.placed + ". The kernel would run one session beside the client and another across from it, where a short answer takes up to three times as long.")
	}
	if b.blocks == nil {
		return
	}
	t := b.out.Table(noiseByPartSpec)
	for _, p := range b.parts {
		t.Add(slices.Concat([]any{p.name, p.blocks, p.noisy, 100 * float64(p.noisy) / float64(p.blocks)}, p.noise.cells())...)
	}
}

// Watch watches a single execution that cannot take turns; the function that it
// returns ends that, writes the noise down under the part's name and returns it.
func (l *Lab) Watch(part string) (stop func() Noise) {
	w := watchNoise()
	return func() Noise {
		n := w.stop()
		n.Gap = -1
		l.noise.writing.Lock()
		execution := l.noise.part(part).blocks
		l.noise.writing.Unlock()
		l.noise.add(part, execution, n)
		return n
	}
}

// NoiseNote says how many of the timed blocks of an experiment were disturbed, for
// whoever reads a time of it; "" of a folder that does not tell.
func (ts Tables) NoiseNote() string {
	t, ok := ts[noiseTable]
	if !ok || len(t.Rows) == 0 {
		return ""
	}
	noisy := 0
	for row := range t.Rows {
		if t.Text(row, "noisy") == "yes" {
			noisy++
		}
	}
	return fmt.Sprintf("%d of the %d timed blocks of this experiment were noisy (%.0f %%, noise.csv).", noisy, len(t.Rows), 100*float64(noisy)/float64(len(t.Rows)))
}

// Times says whether a table holds seconds that the server took, so that what
// disturbed the blocks belongs beside it.
func (t *Table) Times() bool {
	return t.Name != noiseTable && t.Name != noiseByPartTable && slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Unit == "s" || c.Unit == "ms" })
}
