// Package testrun lets tests run an experiment, or a part of one, and read what
// it left; nothing else imports it.
package testrun

import (
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// NoServer is the version of an experiment that starts none.
const NoServer = ""

// Run runs an experiment at smoke scale, with the seed 1234, on a host for the
// pinned PostgreSQL of a version word ("17"), and reads its folder back from
// the disk. The error is the run's: what it measured before is in the folder
// still. A folder that cannot be read ends the test.
func Run(t *testing.T, e *runner.Experiment, version string, knobs runner.Values) (*runner.Folder, error) {
	t.Helper()
	var host *postgres.Host
	if version != NoServer {
		host = testserver.Host(t, version)
	}
	dir := t.TempDir()
	_, ran := runner.Run(t.Context(), runner.Config{
		Experiments: []*runner.Experiment{e}, Knobs: map[string]runner.Values{e.Name: knobs}, Host: host, Dir: dir,
		Record:       runner.Record{Program: "deletecost test", Scale: runner.Smoke, Seed: 1234},
		ProcessStart: time.Now(), Progress: func(runner.Event) {}, Derive: runner.Derive,
	})
	f, err := runner.Open(dir)
	if err != nil {
		t.Fatal(err, ran)
	}
	return f, ran
}
