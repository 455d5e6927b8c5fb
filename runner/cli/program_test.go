package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// called runs a command line that needs no server.
func called(args ...string) (stdout string, err error) {
	var out, errs strings.Builder
	p := &program{experiments: both, stdout: &out, getenv: environment(nil), now: time.Now, args: args,
		tell: &progress{out: &errs, now: time.Now}}
	err = p.word(context.Background(), args)
	return out.String(), err
}

func TestHelp(t *testing.T) {
	for args, want := range map[string]string{
		"--help": usageText, "-h": usageText, "help": usageText,
		"help run": runText, "run --help": runText, "run -h": runText, "--scale smoke --help": runText,
		"help list": listText, "list --help": listText, "help report": reportText, "report --help": reportText,
		"help verify-archive": verifyArchiveText, "verify-archive --help": verifyArchiveText,
		"help version": versionText, "version --help": versionText, "help help": helpText, "help --help": helpText,
	} {
		if got, err := called(strings.Fields(args)...); got != want || err != nil {
			t.Errorf("%q: %q, %v", args, got, err)
		}
	}
}

func TestWordsThatAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"help softdelete":           `unknown word "softdelete": choose one of run, list, report, bundle, verify-archive, version, help`,
		"help lsit":                 `unknown word "lsit": did you mean list?`,
		"help run list":             `help takes one word, not 2: deletecost help run`,
		"list softdelete":           `list takes no arguments, not "softdelete": deletecost help list`,
		"version 1":                 `version takes no arguments, not "1": deletecost help version`,
		"report":                    `report needs a results folder: deletecost report DIR, or several to compare them`,
		"report no/such too":        `"no/such" is not a results folder, it has no run.json: name one that a run wrote`,
		"report --out x no/such":    `--out goes with several folders, which are compared: leave it out, the report of one folder is in it`,
		"verify-archive":            `verify-archive takes one archive folder, not 0: deletecost verify-archive DIR`,
		"verify-archive a b":        `verify-archive takes one archive folder, not 2: deletecost verify-archive DIR`,
		"verify-archive no/such":    `"no/such" cannot be read as an archive folder: no such file or directory: name the folder that holds manifest.json`,
		"verify-archive program.go": `"program.go" cannot be read as an archive folder: not a directory: name the folder that holds manifest.json`,
		"report no/such":            `"no/such" is not a results folder, it has no run.json: name one that a run wrote`,
		"lsit":                      `unknown experiment "lsit": did you mean the word list?`,
	} {
		got, err := called(strings.Fields(args)...)
		var usage *usageError
		if got != "" || !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%q: %q, %v\nwant %s", args, got, err, want)
		}
	}
}

func TestVersionWord(t *testing.T) {
	word, err := called("version")
	flag, flagErr := called("--version")
	if err != nil || flagErr != nil || word != flag || !strings.HasPrefix(word, "deletecost ") || strings.Count(word, "\n") != 4 {
		t.Errorf("%q and %q, %v, %v", word, flag, err, flagErr)
	}
}
