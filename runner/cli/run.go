package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"deletecost/runner"
	"deletecost/runner/diskspace"
	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

// run is the word of that name: each check comes before the next thing that
// takes time.
func (p *program) run(ctx context.Context, args []string) (err error) {
	var o options
	names, err := parse(o.runFlags(), args, p.getenv)
	if err != nil {
		return err
	}
	r, err := newRequest(o, names, p.experiments)
	if err != nil {
		return err
	}
	p.tell.quiet = r.quiet
	if err := p.openBundle(ctx, r); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.source.Close()) }()
	if r.several() {
		return p.runSeveral(ctx, r)
	}
	return p.runOnce(ctx, r)
}

// runOnce makes the only run of a request.
func (p *program) runOnce(ctx context.Context, r *request) error {
	out, err := newFolder(r.out, p.now())
	if err != nil {
		return err
	}
	defer out.close()
	return p.ready(r, func() error { return p.measureOnce(ctx, r, out) })
}

// ready does what a request asks for once its JUnit file is open and the machine
// can run a server, and writes that file at the end.
func (p *program) ready(r *request, do func() error) (err error) {
	if p.junit, err = openJUnit(r.junit, p.now()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.junit.close(err)) }()
	if err := postgres.Check(r.machine()); err != nil {
		return err
	}
	return do()
}

// measureOnce makes the run, for a folder that is open.
func (p *program) measureOnce(ctx context.Context, r *request, out *folder) error {
	server, err := p.fetchServer(ctx, r, r.versions[0])
	if err != nil {
		return err
	}
	charts, err := p.fetchCharts(ctx, r.options)
	if err != nil {
		return err
	}
	f, err := p.runOn(ctx, r, out, server, charts, processStart)
	if f == nil {
		return err
	}
	return errors.Join(err, p.conclude(r, f, err))
}

// runOn opens the host and measures; start is when the run began.
func (p *program) runOn(ctx context.Context, r *request, out *folder, server fetch.Binaries, charts fetch.Script, start time.Time) (*runner.Folder, error) {
	config := r.machine()
	config.Binaries, config.Version, config.Log, config.Keep = server.Bin, server.Version, out.log, r.keep
	if dir := p.source.Instead(); dir != "" {
		config.Cache = dir
	}
	host, err := postgres.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	p.hosts(host)
	record := p.record(r, host, server, charts)
	record.Started = start.UTC()
	folder, err := p.measure(ctx, r, out, host, record, charts.JS)
	err = errors.Join(err, host.Close())
	if r.keep {
		p.tell.say(keptText(host))
	}
	return folder, err
}

// keptText says where the server's files are, and how to start it again.
func keptText(host *postgres.Host) string {
	text := fmt.Sprintf("the files of servers, and archives of retention, are kept in %q", host.Folder)
	if again := host.StartAgain(); again != "" {
		text += "; to start it again, " + again
	}
	return text
}

// machine is what can be said of the servers before there are binaries. Own
// ones are there already, and whoever fetches nothing is told by Open.
func (r *request) machine() postgres.Config {
	cache := cacheOf(r.options)
	if r.pgBin != "" {
		return postgres.Config{Cache: cache, Elsewhere: "copy the programs to a folder that is open to everybody, or name another --pg-bin DIR"}
	}
	return postgres.Config{Binaries: cache, Cache: cache}
}

// cacheOf is where ready clusters are kept; without such a folder they are not.
func cacheOf(o options) string {
	if o.cache != "" {
		return o.cache
	}
	dir, err := fetch.DefaultCache()
	if err != nil {
		return ""
	}
	return dir
}

func (p *program) record(r *request, host *postgres.Host, server fetch.Binaries, charts fetch.Script) runner.Record {
	return runner.Record{
		Program: "deletecost " + release(), Command: p.args, Scale: r.scale, Seed: r.seed,
		PostgreSQL: runner.Binaries{Version: server.Version, Source: server.Source, Coordinates: server.Coordinates,
			Digest: server.Digest, Pinned: server.Pinned},
		ECharts: recorded(charts), Machine: runner.ReadMachine(host.Folder), Warnings: p.tell.warnings,
	}
}

func (p *program) measure(ctx context.Context, r *request, out *folder, host *postgres.Host, record runner.Record, charts []byte) (*runner.Folder, error) {
	if err := r.checkSpace(filepath.Dir(host.Folder), out.path, diskspace.Free); err != nil {
		return nil, err
	}
	return runner.Run(ctx, runner.Config{
		Experiments: r.experiments, Knobs: r.knobs, Host: host, Dir: out.path, Record: record,
		ProcessStart: record.Started, Progress: p.tell.event,
		Derive: func(f *runner.Folder) error {
			err := p.derive(f, charts)
			if is[*pageError](err) { // what needs no page is written all the same
				return errors.Join(err, fullResults(f.Dir, runner.Derive(f)))
			}
			return err
		},
		// What cannot be drawn is an error of Derive.
		Draw: func(f *runner.Folder) { _, _ = p.draw(f, charts) },
	})
}

// A pageError says that the page or its pictures cannot be made.
type pageError struct{ error }

func (e *pageError) Unwrap() error { return e.error }

// derive writes what is made from the measurements, the report last. Nothing is
// written when the page cannot be made.
func (p *program) derive(f *runner.Folder, charts []byte) error {
	pictures, err := p.draw(f, charts)
	if err != nil {
		return &pageError{err}
	}
	page, err := p.render(f, charts)
	if err != nil {
		return &pageError{err}
	}
	if err := runner.Derive(f); err != nil {
		return fullResults(f.Dir, err)
	}
	if err := writeCharts(f, pictures); err != nil {
		return fullResults(f.Dir, err)
	}
	return fullResults(f.Dir, runner.WriteWhole(reportOf(f), page))
}

// writeCharts writes the figures as files of their own; without any there is
// no folder for them.
func writeCharts(f *runner.Folder, pictures map[string][]byte) error {
	if len(pictures) == 0 {
		return nil
	}
	dir := filepath.Join(f.Dir, "charts")
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// A link in a stranger's folder would lead out of it.
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return &fs.PathError{Op: "write", Path: dir, Err: errors.New("charts is not a folder")}
	}
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		if err := runner.WriteWhole(filepath.Join(dir, name), pictures[name]); err != nil {
			return err
		}
	}
	return nil
}

func reportOf(f *runner.Folder) string { return filepath.Join(f.Dir, "report.html") }

// conclude prints where the report is, also after a failure, and compares the
// verdicts with those expected.
func (p *program) conclude(r *request, f *runner.Folder, failed error) error {
	p.junit.hold(f)
	if _, err := os.Stat(reportOf(f)); err != nil {
		return nil // the failure says why there is none
	}
	p.summarize(f)
	if err := p.printResult(r, f); err != nil {
		return err
	}
	return check(r, f, failed)
}

// check is --check: it compares the verdicts of a run that did not fail with
// those expected.
func check(r *request, f *runner.Folder, failed error) error {
	if !r.check || failed != nil {
		return nil
	}
	differences, err := runner.Check(f)
	if err == nil && len(differences) > 0 {
		err = &checkError{differences}
	}
	return err
}

func (p *program) printResult(r *request, f *runner.Folder) error {
	if !r.json {
		return p.print(reportOf(f) + "\n")
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, "run.json"))
	if err != nil {
		return fmt.Errorf("printing run.json: %w", err)
	}
	return p.print(string(text))
}

// summarize counts the verdicts of each experiment.
func (p *program) summarize(f *runner.Folder) {
	for _, o := range f.Record.Experiments {
		outcomes, err := f.Outcomes(o)
		if err != nil {
			continue // the report could not have been written either
		}
		p.tell.note(o.Experiment + ": " + runner.Count(outcomes))
	}
	p.tell.note("report: " + reportOf(f))
}
