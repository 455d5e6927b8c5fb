package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/waiting"
)

// Config says what a run runs.
type Config struct {
	Experiments  []*Experiment
	Knobs        map[string]Values // by experiment
	Host         *postgres.Host
	Dir          string // the results folder: exists and is empty but for the server's log
	Record       Record // what is known before the first experiment
	ProcessStart time.Time
	Progress     func(Event)
	// Derive writes what is made from the record and the tables; it runs after
	// each experiment so that an outcome is on disk before the next one starts.
	Derive func(*Folder) error
	// Draw does before Derive what takes long and is remembered, so that the record can say how long; nil: nothing.
	Draw func(*Folder)
}

// Run runs the experiments one after another. The folder holds what was
// measured at any moment; the error joins those of the experiments that
// failed, and the others have run.
func Run(ctx context.Context, c Config) (*Folder, error) {
	claims, err := Claims()
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: c.Dir, Record: c.Record, tables: map[string]Tables{}}
	f.Record.Schema = SchemaVersion
	if err := f.save(); err != nil {
		return nil, err
	}
	clock := waiting.NewClock(waiting.Since(c.ProcessStart))
	ctx = waiting.With(ctx, clock)
	f.Record.Account = &Account{Before: newSpent(clock.Read()), NoMemory: beginPeak()}
	var errs []error
	for _, e := range c.Experiments {
		if ctx.Err() == nil {
			errs = append(errs, runOne(ctx, c, f, e, claims))
		}
		f.Record.Interrupted = ctx.Err() != nil
		f.Record.Seconds = time.Since(c.ProcessStart).Seconds()
		if err := errors.Join(f.save(), f.derive(c, clock)); err != nil {
			return f, errors.Join(append(errs, err)...)
		}
	}
	return f, errors.Join(errs...)
}

// derive draws, writes down what is known, and lets be made what is made from that. The record's account ends there:
// what is written last cannot say how long it took.
func (f *Folder) derive(c Config, clock *waiting.Clock) error {
	begun, account := clock.Read(), f.Record.Account
	if c.Draw != nil {
		c.Draw(f)
	}
	drawn := clock.Read()
	earlier := account.Report
	account.Report = earlier.Plus(newSpent(drawn.Since(begun)))
	if account.NoMemory == "" {
		account.Memory = peakMemory()
	}
	if err := errors.Join(f.save(), c.Derive(f)); err != nil {
		return err
	}
	// The next account has the writing too.
	account.Report = earlier.Plus(newSpent(clock.Read().Since(begun)))
	return nil
}

func runOne(ctx context.Context, c Config, f *Folder, e *Experiment, claims []Claim) error {
	start := time.Now()
	out, err := newResult(filepath.Join(c.Dir, e.Name), e, c.Knobs[e.Name], claims)
	if err != nil {
		return err
	}
	if err := f.announce(out.Outline); err != nil {
		return err
	}
	lab := &Lab{Seed: c.Record.Seed, experiment: e.Name, knobs: c.Knobs[e.Name],
		watch: newStopwatch(waiting.From(ctx)), host: c.Host, out: out, progress: c.Progress, noise: &noiseBook{out: out}, queried: f.firstQuery(c.ProcessStart)}
	// What it times is then timed on one thread: an answer is not handed on.
	runtime.LockOSThread()
	ran := e.Run(ctx, lab, out)
	runtime.UnlockOSThread()
	lab.noise.sum()
	// The servers must go also when the run was interrupted.
	ran = errors.Join(ran, lab.stop(context.WithoutCancel(ctx)))
	if ctx.Err() != nil {
		ran = errors.Join(errors.New("interrupted"), ran)
	}
	ran = out.close(ran)
	out.Phases = lab.watch.stop()
	out.Seconds = time.Since(start).Seconds()
	f.Record.Experiments[len(f.Record.Experiments)-1] = out.Outline
	f.tables[e.Name] = out.tables
	if ran != nil {
		return fmt.Errorf("experiment %q: %w", e.Name, ran)
	}
	return nil
}

// killedText is the error of an experiment that has begun, until it ends.
const killedText = "the run was killed while this experiment ran; the CSVs in its folder hold what it had measured"

// announce writes down that an experiment has begun, so that the folder of a
// run that was killed says so.
func (f *Folder) announce(o Outline) error {
	o.Error = killedText
	f.Record.Experiments = append(f.Record.Experiments, o)
	return f.save()
}

// firstQuery notes the time from the start of the process to the first answer
// of a server, once.
func (f *Folder) firstQuery(processStart time.Time) func() {
	return func() {
		if f.Record.FirstQuery == 0 {
			f.Record.FirstQuery = time.Since(processStart).Seconds()
		}
	}
}
