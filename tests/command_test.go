// Package tests runs the command as its users do.
package tests

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"deletecost/experiments"
	"deletecost/experiments/retention/archive"
	"deletecost/report"
	"deletecost/runner/cli"
	"deletecost/runner/fetch"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"deletecost": func() {
			os.Exit(cli.Main(os.Args[1:], experiments.All(), report.Render, report.Charts, report.Compare, archive.WriteVerdict))
		},
	})
}

// The scripts have commands of their own. "exits CODE COMMAND ..." runs a
// command that must end with the exit code. "left DIR NAME ..." compares the
// names in a folder with those given; without any it must be empty or missing.
// "lines FILE N" counts lines. "document FILE" wants one JSON document that
// docs/run.schema.json describes. "signals", "gone" and
// "archives" are described beside them.
func TestCommand(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "script",
		Setup:               setUp,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "left": left, "signals": signals, "lines": lines, "gone": gone, "document": document, "archives": archives,
		},
	})
}

// setUp gives a script the cache of this user, since its home does not exist,
// and a temporary folder that the server's account can reach and whose path
// leaves room for a socket's.
func setUp(env *testscript.Env) error {
	cache, err := fetch.DefaultCache()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "dct-")
	if err != nil {
		return err
	}
	env.Defer(func() { os.RemoveAll(temp) })
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		env.Setenv(name, temp)
	}
	env.Setenv("DELETECOST_CACHE", cache)
	return os.Chmod(temp, 0o755)
}

// condition knows [root], to whom no folder is closed, and [mounts] and [nonet]
// for being allowed a namespace to mount in, or one without a network.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "mounts":
		return exec.Command("unshare", "-m", "true").Run() == nil, nil
	case "nonet":
		return exec.Command("unshare", "-n", "true").Run() == nil, nil
	}
	return false, errors.New("unknown condition " + name)
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("running %q: %v", args[1:], err)
		}
		got = exit.ExitCode()
	}
	if (got == want) == neg {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func left(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		ts.Check(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); (got == want) == neg {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// lines counts the lines of a file, or of the last stdout or stderr.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); (got == want) == neg {
		ts.Fatalf("%s has %d lines, want %d", filepath.Base(args[0]), got, want)
	}
}
