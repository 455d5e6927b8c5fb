package retention

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"deletecost/experiments/retention/archive"
	"deletecost/runner/waiting"
)

// A plan is one run of the pipeline over a month that is loaded for it.
type plan struct {
	name     string // of the run, unique
	schema   string // full or bare
	rows     int    // a table
	method   string // of archive.Config
	level    int    // of gzip
	restore  bool
	writers  int     // 0: nobody writes
	rate     float64 // inserts a second of all writers; 0: a closed loop
	before   time.Duration
	pace     int  // rows a second; 0: as fast as it goes
	turns    bool // detach and drop are timed in turns with a small month's before
	measured bool // memory and CPU; only where nobody writes they are the pipeline's
}

// A retired month is what became of a plan.
type retired struct {
	plan
	loop         string // of the writers, for people
	bytes        int64  // of both partitions with indexes, before
	loaded       time.Duration
	diary        *diary
	began, ended time.Time // of the pipeline
	outcome      archive.Outcome
	meanwhile    disturbance
	used         usage

	crewBegan time.Time
	samples   []sample
	dropped   int
	byPhase   map[string][]sample // samples, once phased has sorted them

	verified bool // every part verifies without the server
	spots    spotCheck
	proof    proof
}

// archived is the rows of both tables.
func (r *retired) archived() int64 { return 2 * int64(r.rows) }

// archiveSeconds is the time in which parts were written and read back,
// whether one after the other or at once.
func (r *retired) archiveSeconds() float64 {
	both := &diary{}
	for _, step := range []string{"export", "verify"} {
		for _, s := range r.diary.of(step) {
			both.add("archive", s.start, s.end)
		}
	}
	return both.seconds("archive")
}

// totalSeconds is the pipeline from its first step to its end.
func (r *retired) totalSeconds() float64 { return r.ended.Sub(r.began).Seconds() }

// parts is the number of files.
func (r *retired) parts() int {
	n := 0
	for _, t := range r.outcome.Manifest.Tables {
		n += len(t.Parts)
	}
	return n
}

// retire loads the month, lets the writers run alone for a while, archives and
// drops the month beside them, and then proves that nothing was lost. What it
// wrote is removed.
func (b *bench) retire(ctx context.Context, p plan) (*retired, error) {
	r := &retired{plan: p, diary: &diary{}, loop: loopName(p)}
	dir := filepath.Join(b.folder, p.name)
	defer b.clear(dir)
	m := newMonth(p.rows, b.lab.Rand("month/"+p.name))
	if err := b.prepare(ctx, r, m); err != nil {
		return nil, fmt.Errorf("loading for %q: %w", p.name, err)
	}
	if p.turns {
		if err := b.constancy(ctx, p.rows); err != nil {
			return nil, fmt.Errorf("detaching in turns in %q: %w", p.name, err)
		}
	}
	ledgers, err := b.beside(ctx, r, func() error {
		if r.writers > 0 { // by themselves methods take turns, which are watched
			defer b.lab.Watch(p.name)()
		}
		return b.pipeline(ctx, r, dir)
	})
	if err != nil {
		return nil, fmt.Errorf("retiring in %q: %w", p.name, err)
	}
	if err := b.prove(ctx, r, m, dir, ledgers); err != nil {
		return nil, fmt.Errorf("proving %q: %w", p.name, err)
	}
	for _, ledger := range ledgers { // gigabytes at published sizes
		os.Remove(ledger)
	}
	return r, nil
}

// prepare loads the month and reads its size.
func (b *bench) prepare(ctx context.Context, r *retired, m month) error {
	setup := b.lab.Setup("load " + r.name)
	defer setup.Done()
	begun := time.Now()
	if err := b.load(ctx, r.schema, m); err != nil {
		return err
	}
	r.loaded = time.Since(begun)
	var err error
	r.bytes, err = b.bytesOfMonth(ctx, r.schema)
	return err
}

// beside does something while the writers write, having let them run alone
// before. It returns their ledgers.
func (b *bench) beside(ctx context.Context, r *retired, do func() error) (ledgers []string, err error) {
	if r.writers == 0 {
		r.meanwhile, err = b.disturbed(ctx, do)
		return nil, err
	}
	c, err := b.start(ctx, r.name, r.writers, r.rate)
	if err != nil {
		return nil, err
	}
	if !pause(ctx, r.before) {
		return nil, errors.Join(ctx.Err(), c.dismiss())
	}
	r.meanwhile, err = b.disturbed(ctx, do)
	err = errors.Join(err, c.dismiss())
	r.crewBegan = c.began
	r.samples, r.dropped = c.samples()
	return c.ledgers, err
}

// pause waits on purpose and says whether ctx lasted that long.
func pause(ctx context.Context, d time.Duration) bool {
	defer waiting.For(ctx, waiting.Pauses)()
	return sleep(ctx, d)
}

// pipeline runs the archive over both tables.
func (b *bench) pipeline(ctx context.Context, r *retired, dir string) error {
	step := b.lab.Step(r.name, 0)
	defer step.Done()
	var watch *usageWatch
	if r.measured {
		watch = watchUsage(b.server.Pid())
	}
	both := tables(r.schema)
	r.began = time.Now()
	outcome, err := archive.Run(ctx, archive.Config{
		Conn: b.server.Connect, Dir: dir, PartRows: b.lab.Knob("part_rows"), Level: r.level, Method: r.method,
		Tables: []string{both[0].leaf(), both[1].leaf()}, Parents: []string{both[0].parent(), both[1].parent()},
		Streams: b.streams(r.plan), Restore: r.restore, RowsPerSecond: r.pace, Timed: r.diary.add,
	})
	r.ended, r.outcome = time.Now(), outcome
	if watch != nil {
		r.used = watch.stop()
	}
	if err == nil && outcome.State != archive.StateDropped {
		err = fmt.Errorf("the pipeline ended in state %q", outcome.State)
	}
	return err
}

// streams: one table at a time as the source, or both at once.
func (b *bench) streams(p plan) int {
	if p.method == archive.MethodSource {
		return 1
	}
	return b.lab.Knob("streams")
}

// loopName says how the writers of a plan write.
func loopName(p plan) string {
	switch {
	case p.writers == 0:
		return "none"
	case p.rate == 0:
		return "closed"
	}
	return "open"
}
