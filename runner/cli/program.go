// Package cli is the command: its words, flags and usage texts, its progress
// on the terminal and its exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	"deletecost/runner"
	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

// processStart is taken as early as a package can: from here to the first
// answered query is part of what a run reports.
var processStart = time.Now()

// words are what the command line can begin with; run is the default.
var words = []string{"run", "list", "report", "bundle", "verify-archive", "version", "help"}

// A program is one call of the command.
type program struct {
	experiments []*runner.Experiment
	render      func(f *runner.Folder, echarts []byte) ([]byte, error)
	draw        func(f *runner.Folder, echarts []byte) (map[string][]byte, error)
	compare     func(c *runner.Comparison, echarts []byte) ([]byte, error)
	verify      func(ctx context.Context, dir string, out io.Writer) error
	stdout      io.Writer
	getenv      func(string) string
	now         func() time.Time
	tell        *progress
	args        []string      // as given
	source      *fetch.Bundle // nil without --bundle
	junit       *junitFile    // nil without --junit

	mu   sync.Mutex
	host *postgres.Host // nil until it is open
}

// Main runs the command with the words after the program's name and returns
// its exit code. The experiments are in the order in which they run; render
// makes report.html of a results folder and the text of echarts.min.js, which
// is empty when it could not be had, and draw the files of its folder charts by
// their names; compare makes the page over several folders; verify writes what is wrong with an archive folder, and returns
// an error when something is.
func Main(args []string, experiments []*runner.Experiment, render func(f *runner.Folder, echarts []byte) ([]byte, error),
	draw func(f *runner.Folder, echarts []byte) (map[string][]byte, error), compare func(c *runner.Comparison, echarts []byte) ([]byte, error),
	verify func(ctx context.Context, dir string, out io.Writer) error) int {
	p := &program{
		experiments: experiments, render: render, draw: draw, compare: compare, verify: verify, stdout: os.Stdout, getenv: os.Getenv, now: time.Now, args: args,
		tell: &progress{out: os.Stderr, width: terminalWidth(os.Stderr), now: time.Now},
	}
	return p.untilSignal(func(ctx context.Context) error { return p.word(ctx, args) })
}

// terminalWidth returns a function for the columns of a terminal, which may
// change, and nil when the file is none.
func terminalWidth(f *os.File) func() int {
	if !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil || width < 20 {
			return 80
		}
		return width
	}
}

// word obeys the first word of the command line.
func (p *program) word(ctx context.Context, args []string) error {
	word := "run"
	if len(args) > 0 {
		switch first := args[0]; {
		case first == "--help" || first == "-h":
			return p.print(usageText)
		case first == "--version":
			word, args = "version", args[1:]
		case slices.Contains(words, first):
			word, args = first, args[1:]
		}
	}
	err := p.obey(ctx, word, args)
	if errors.Is(err, errHelp) {
		return p.print(wordTexts[word])
	}
	return err
}

func (p *program) obey(ctx context.Context, word string, args []string) error {
	switch word {
	case "list":
		return p.list(args)
	case "report":
		return p.report(ctx, args)
	case "bundle":
		return p.bundle(ctx, args)
	case "verify-archive":
		return p.verifyArchive(ctx, args)
	case "version":
		return p.version(args)
	case "help":
		return p.help(args)
	}
	return p.run(ctx, args)
}

var wordTexts = map[string]string{"run": runText, "list": listText, "report": reportText, "bundle": bundleText,
	"verify-archive": verifyArchiveText, "version": versionText, "help": helpText}

// help is the word of that name.
func (p *program) help(args []string) error {
	names, err := parse(newFlags(), args, p.getenv)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return p.print(usageText)
	case len(names) > 1:
		return usagef("help takes one word, not %d: deletecost help %s", len(names), names[0])
	case !slices.Contains(words, names[0]):
		return unknown("word", names[0], words)
	}
	return p.print(wordTexts[names[0]])
}

// noArguments is for the words that take nothing but --help.
func (p *program) noArguments(word string, args []string) error {
	names, err := parse(newFlags(), args, p.getenv)
	if err == nil && len(names) > 0 {
		return usagef("%s takes no arguments, not %q: deletecost help %[1]s", word, names[0])
	}
	return err
}

// print writes to standard output, which holds nothing but what was asked for.
func (p *program) print(text string) error {
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return fmt.Errorf("writing standard output: %w", err)
	}
	return nil
}
