package cli

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// envPrefix begins the names under which flags can stand in the environment.
const envPrefix = "DELETECOST_"

// errHelp says that the usage text of a word was asked for.
var errHelp = pflag.ErrHelp

// options are the flags of all words as they were given; each word declares
// those that it takes.
type options struct {
	pg       string
	platform string
	bundle   string
	scale    string
	set      []string
	seed     string
	out      string
	cache    string
	mirror   string
	pgBin    string
	check    bool
	json     bool
	quiet    bool
	keep     bool
	runs     string
	junit    string
}

// runFlags declares the flags of the word run.
func (o *options) runFlags() *pflag.FlagSet {
	f := newFlags()
	o.fetchFlags(f)
	f.StringVar(&o.bundle, "bundle", "", "")
	f.StringVar(&o.pg, "pg", "", "")
	f.StringVar(&o.scale, "scale", "laptop", "")
	f.StringArrayVar(&o.set, "set", nil, "")
	f.StringVar(&o.seed, "seed", "1234", "")
	f.StringVar(&o.runs, "runs", "1", "")
	f.StringVar(&o.out, "out", "", "")
	f.StringVar(&o.pgBin, "pg-bin", "", "")
	f.StringVar(&o.junit, "junit", "", "")
	f.BoolVar(&o.check, "check", false, "")
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.keep, "keep", false, "")
	return f
}

// reportFlags declares the flags of the word report.
func (o *options) reportFlags() *pflag.FlagSet {
	f := newFlags()
	o.fetchFlags(f)
	f.StringVar(&o.bundle, "bundle", "", "")
	f.StringVar(&o.out, "out", "", "")
	f.StringVar(&o.junit, "junit", "", "")
	return f
}

func (o *options) fetchFlags(f *pflag.FlagSet) {
	f.StringVar(&o.cache, "cache", "", "")
	f.StringVar(&o.mirror, "pg-mirror", "", "")
	f.BoolVar(&o.quiet, "quiet", false, "")
}

// bundleFlags declares the flags of the word bundle.
func (o *options) bundleFlags() *pflag.FlagSet {
	f := newFlags()
	o.fetchFlags(f)
	f.StringVar(&o.out, "out", "", "")
	f.StringVar(&o.pg, "pg", defaultVersion, "")
	f.StringVar(&o.platform, "platform", "", "")
	return f
}

func newFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse reads flags from the arguments and, where they are not there, from the
// environment, and returns the words that are no flags.
func parse(f *pflag.FlagSet, args []string, getenv func(string) string) ([]string, error) {
	if err := f.Parse(args); err != nil {
		return nil, flagError(f, err)
	}
	if err := checkEmpty(f); err != nil {
		return nil, err
	}
	if err := parseEnvironment(f, getenv); err != nil {
		return nil, err
	}
	return f.Args(), nil
}

// checkEmpty refuses a flag that was given without a value, as a script does
// whose variable is not set.
func checkEmpty(f *pflag.FlagSet) error {
	var err error
	f.Visit(func(flag *pflag.Flag) {
		if flag.Value.Type() == "string" && flag.Value.String() == "" {
			err = usagef("--%s is empty: give it a value or leave it out", flag.Name)
		}
	})
	return err
}

func parseEnvironment(f *pflag.FlagSet, getenv func(string) string) error {
	var err error
	f.VisitAll(func(flag *pflag.Flag) {
		name := envName(flag.Name)
		value := getenv(name)
		if value == "" || err != nil {
			return
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			// The knobs of the command line come last, so that they win one by one.
			err = list.Replace(append(strings.Fields(value), list.GetSlice()...))
		} else if !flag.Changed && flag.Value.Set(value) != nil {
			err = usagef("%s is %q: set it to true or false", name, value)
		}
	})
	return err
}

// envName is where a flag stands in the environment: DELETECOST_PG_MIRROR.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// flagError says in our words what pflag found.
func flagError(f *pflag.FlagSet, err error) error {
	var missing *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return errHelp
	case errors.As(err, &missing):
		return unknownFlag(f, missing)
	case errors.As(err, &noValue):
		return usagef("--%s needs a value: --%[1]s VALUE", noValue.GetSpecifiedName())
	case errors.As(err, &bad):
		return usagef("--%s is %q: give it no value, or true or false", bad.GetFlag().Name, bad.GetValue())
	}
	return usagef("reading the command line: %v: flags are written --name VALUE or --name=VALUE", err)
}

func unknownFlag(f *pflag.FlagSet, missing *pflag.NotExistError) error {
	valid := []string{"--help"}
	f.VisitAll(func(flag *pflag.Flag) { valid = append(valid, "--"+flag.Name) })
	if short := missing.GetSpecifiedShortnames(); short != "" {
		return unknown("flag", "-"+short, valid)
	}
	return unknown("flag", "--"+missing.GetSpecifiedName(), valid)
}

// mostRuns is more than anybody waits for.
const mostRuns = 99

func parseRuns(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostRuns {
		return 0, usagef("--runs is %q: give a whole number from 1 to %d", text, mostRuns)
	}
	return n, nil
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, usagef("--seed is %q: give a whole number from 0 to 18446744073709551615", text)
	}
	return seed, nil
}
