package runner

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"deletecost/runner/postgres"
)

// A Lab is all that an experiment may touch.
type Lab struct {
	Seed uint64 // of the run; see Rand

	experiment string
	knobs      Values
	host       *postgres.Host
	out        *Result
	progress   func(Event)
	queried    func() // told when a server has answered
	servers    []*postgres.Server
	watch      *stopwatch
	noise      *noiseBook
	telling    sync.Mutex // steps may be advanced from several goroutines
}

// Knob returns a knob's value; the name must be one of the experiment's.
func (l *Lab) Knob(name string) int {
	v, ok := l.knobs[name]
	if !ok {
		l.out.misuse(fmt.Errorf("reading knob %q: experiment %q has none of that name", name, l.experiment))
	}
	return int(v)
}

// Rand returns a generator that depends on the run's seed and the purpose
// only, so that one arm's draws never move another's.
func (l *Lab) Rand(purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(l.experiment + "/" + purpose))
	return rand.New(rand.NewPCG(l.Seed, h.Sum64()))
}

// Server starts a server of the experiment's own. It is stopped when the
// experiment ends.
func (l *Lab) Server(ctx context.Context, o postgres.Options) (*postgres.Server, error) {
	return l.start(ctx, o.Name, func() (*postgres.Server, error) { return l.host.Start(ctx, o) })
}

// start starts a server in the way given and records it.
func (l *Lab) start(ctx context.Context, name string, how func() (*postgres.Server, error)) (*postgres.Server, error) {
	step := l.Setup("start " + name)
	defer step.Done()
	s, err := how()
	if err != nil {
		return nil, fmt.Errorf("starting server %q: %w", name, err)
	}
	l.servers = append(l.servers, s)
	record, err := readServer(ctx, s)
	if err != nil {
		return nil, err
	}
	l.queried()
	l.out.Servers = append(l.out.Servers, record)
	return s, nil
}

// stop stops every server, a standby before its primary, and reports one that
// ended by itself.
func (l *Lab) stop(ctx context.Context) error {
	var errs []error
	for _, s := range slices.Backward(l.servers) {
		errs = append(errs, s.Stop(ctx))
	}
	return errors.Join(errs...)
}

// An Event is what a run tells whoever watches.
type Event struct {
	Experiment string
	Step       string
	Done       int // units of the step that are done
	Total      int // 0: not known
	Took       time.Duration
	Finished   bool // the step is over
}

// A Step is a part of an experiment with progress and its own time.
type Step struct {
	lab   *Lab
	name  string
	setup bool
	total int
	done  int
	start time.Time
	over  bool
}

// Step starts a step of total units; 0 when the number is not known.
func (l *Lab) Step(name string, total int) *Step {
	return l.begin(&Step{lab: l, name: name, total: total, start: time.Now()})
}

// Setup starts a step that prepares and measures nothing.
func (l *Lab) Setup(name string) *Step {
	return l.begin(&Step{lab: l, name: name, setup: true, start: time.Now()})
}

func (l *Lab) begin(s *Step) *Step {
	l.watch.begin(s)
	s.tell()
	return s
}

// Advance says that n more units are done. It may be called from several
// goroutines.
func (s *Step) Advance(n int) {
	s.lab.telling.Lock()
	defer s.lab.telling.Unlock()
	s.done += n
	s.tell()
}

// Done ends the step; calling it again does nothing.
func (s *Step) Done() {
	if s.over {
		return
	}
	s.over = true
	s.lab.watch.end(s)
	s.tell()
	s.lab.out.Steps = append(s.lab.out.Steps, StepRecord{Name: s.name, Seconds: time.Since(s.start).Seconds(), Setup: s.setup})
}

func (s *Step) tell() {
	s.lab.progress(Event{Experiment: s.lab.experiment, Step: s.name, Done: s.done, Total: s.total, Took: time.Since(s.start), Finished: s.over})
}

// Keeps says whether the run leaves its files behind (--keep), beside the
// servers' folders.
func (l *Lab) Keeps() bool { return l.host.Keeps() }
