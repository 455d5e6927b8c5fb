package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"deletecost/runner"
	"deletecost/runner/fetch"
)

// A matrix is several runs of one command line: every version as often as was
// asked for, each in a folder of its own.
type matrix struct {
	*program
	request *request
	out     *folder
	servers []fetch.Binaries // of each run, in order
	plan    runner.Matrix
	charts  fetch.Script
	failed  runsError
}

// runSeveral fetches all that any of the runs needs, makes them one after
// another and compares them. What a run has measured is on disk before the next
// one begins, and the comparison is written anew after each.
func (p *program) runSeveral(ctx context.Context, r *request) error {
	out, err := newMatrixFolder(r.out, p.now())
	if err != nil {
		return err
	}
	defer out.close()
	return p.ready(r, func() error { return p.measureSeveral(ctx, r, out) })
}

// measureSeveral makes the runs, for a folder that is open.
func (p *program) measureSeveral(ctx context.Context, r *request, out *folder) error {
	m := &matrix{program: p, request: r, out: out}
	if err := m.fetch(ctx); err != nil {
		return err
	}
	if err := m.plan.Save(out.path); err != nil {
		return fullResults(out.path, err)
	}
	m.run(ctx)
	return m.conclude()
}

// fetch gets the servers of all versions and plans the runs.
func (m *matrix) fetch(ctx context.Context) error {
	m.plan = runner.Matrix{Schema: runner.SchemaVersion, Program: "deletecost " + release(), Command: m.args}
	for _, version := range m.request.versions {
		server, err := m.fetchServer(ctx, m.request, version)
		if err != nil {
			return err
		}
		for n := range m.request.repeats {
			m.servers = append(m.servers, server)
			m.plan.Folders = append(m.plan.Folders, fmt.Sprintf("%s-%d", server.Version, n+1))
		}
	}
	var err error
	m.charts, err = m.fetchCharts(ctx, m.request.options)
	return err
}

// run makes the runs. One whose experiments failed, or whose verdicts differ,
// does not keep the others from being made; what keeps it from running keeps
// all.
func (m *matrix) run(ctx context.Context) {
	start := m.now()
	for i, name := range m.plan.Folders {
		if ctx.Err() != nil {
			return
		}
		m.announce(i, m.now().Sub(start))
		err := m.one(ctx, i)
		m.failed.add(name, err)
		if err == nil || ctx.Err() != nil || goesOn(err) {
			err = m.compareMatrix(m.out.path, m.charts.JS)
			m.failed.add("comparing the runs", err)
		}
		if err != nil && !goesOn(err) {
			return
		}
	}
}

func goesOn(err error) bool {
	code := exitCode(err, false)
	return code == exitDone || code == exitFailed || code == exitDiffers
}

// announce says which run begins, and how long the rest may take when each
// takes as long as those before.
func (m *matrix) announce(i int, took time.Duration) {
	text := fmt.Sprintf("run %d of %d: PostgreSQL %s in %s", i+1, len(m.plan.Folders), m.servers[i].Version, m.plan.Folders[i])
	if i > 0 {
		text += ", about " + duration(took/time.Duration(i)*time.Duration(len(m.plan.Folders)-i)) + " to go"
	}
	m.tell.note(text)
}

// one makes one run on a host of its own.
func (m *matrix) one(ctx context.Context, i int) error {
	out, err := makeFolder(filepath.Join(m.out.path, m.plan.Folders[i]), logName)
	if err != nil {
		return folderError(m.plan.Folders[i], err)
	}
	defer out.close()
	f, err := m.runOn(ctx, m.request, out, m.servers[i], m.charts, m.now())
	m.hosts(nil)
	if f == nil {
		return err
	}
	m.summarize(f)
	return errors.Join(err, check(m.request, f, err))
}

// conclude prints where the comparison is, also after a failure.
func (m *matrix) conclude() error {
	m.failed.add("printing", m.printComparison())
	if len(m.failed.errs) == 0 {
		return nil
	}
	return &m.failed
}

func (m *matrix) printComparison() error {
	page := filepath.Join(m.out.path, "report.html")
	if _, err := os.Stat(page); err != nil {
		return nil // the failure says why there is none
	}
	m.tell.note("comparison: " + page)
	if !m.request.json {
		return m.print(page + "\n")
	}
	records := []json.RawMessage{}
	for _, name := range m.plan.Folders {
		if text, err := os.ReadFile(filepath.Join(m.out.path, name, "run.json")); err == nil {
			records = append(records, text)
		}
	}
	text, err := json.MarshalIndent(records, "", "  ")
	if err != nil {
		return fmt.Errorf("printing the run.json of each run: %w", err)
	}
	return m.print(string(text) + "\n")
}
