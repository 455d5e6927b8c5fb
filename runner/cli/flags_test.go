package cli

import (
	"errors"
	"reflect"
	"testing"
)

func environment(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestFlagsAndEnvironment(t *testing.T) {
	usual := options{scale: "laptop", seed: "1234", runs: "1"}
	for name, c := range map[string]struct {
		args  []string
		env   map[string]string
		want  func(*options)
		words []string
	}{
		"nothing": {want: func(*options) {}},
		"every flag": {
			args: []string{"--pg", "16", "--scale=smoke", "--set", "a.b=1", "--set=a.c=2", "--seed", "7", "--out", "o", "--cache", "c",
				"--bundle", "b", "--pg-mirror", "http://m", "--pg-bin", "p", "--check", "--json", "--quiet", "--keep", "--runs", "2", "--junit", "j"},
			want: func(o *options) {
				*o = options{"16", "", "b", "smoke", []string{"a.b=1", "a.c=2"}, "7", "o", "c", "http://m", "p", true, true, true, true, "2", "j"}
			},
		},
		"every variable": {
			env: map[string]string{"DELETECOST_PG": "16", "DELETECOST_SCALE": "smoke", "DELETECOST_SET": "a.b=1  a.c=2", "DELETECOST_SEED": "7",
				"DELETECOST_OUT": "o", "DELETECOST_CACHE": "c", "DELETECOST_PG_MIRROR": "http://m", "DELETECOST_PG_BIN": "p", "DELETECOST_BUNDLE": "b",
				"DELETECOST_CHECK": "true", "DELETECOST_JSON": "1", "DELETECOST_QUIET": "TRUE", "DELETECOST_KEEP": "t", "DELETECOST_RUNS": "2", "DELETECOST_JUNIT": "j"},
			want: func(o *options) {
				*o = options{"16", "", "b", "smoke", []string{"a.b=1", "a.c=2"}, "7", "o", "c", "http://m", "p", true, true, true, true, "2", "j"}
			},
		},
		"flags win": {
			args: []string{"--scale", "published", "--quiet=false", "--set", "a.b=2"},
			env:  map[string]string{"DELETECOST_SCALE": "smoke", "DELETECOST_QUIET": "true", "DELETECOST_SET": "a.b=1 a.c=3"},
			want: func(o *options) { o.scale, o.set = "published", []string{"a.b=1", "a.c=3", "a.b=2"} },
		},
		"a flag with its usual value wins, too": {
			args: []string{"--scale", "laptop"}, env: map[string]string{"DELETECOST_SCALE": "smoke"}, want: func(*options) {},
		},
		"words between flags": {
			args: []string{"softdelete", "--quiet", "bulkdelete"}, want: func(o *options) { o.quiet = true },
			words: []string{"softdelete", "bulkdelete"},
		},
	} {
		var got options
		names, err := parse(got.runFlags(), c.args, environment(c.env))
		want := usual
		c.want(&want)
		if err != nil || !reflect.DeepEqual(got, want) || len(names) != len(c.words) {
			t.Errorf("%s: %+v, %q, %v\nwant %+v, %q", name, got, names, err, want, c.words)
		}
	}
}

func TestFlagsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  map[string]string
		want string
	}{
		{[]string{"--sclae", "smoke"}, nil, `unknown flag "--sclae": did you mean --scale?`},
		{[]string{"-pg", "17"}, nil, `unknown flag "-pg": did you mean --pg?`},
		{[]string{"--times", "3"}, nil, `unknown flag "--times": choose one of --help, --bundle, --cache, --check, --json, --junit, --keep, --out, --pg, --pg-bin, --pg-mirror, --quiet, --runs, --scale, --seed, --set`},
		{[]string{"--out"}, nil, `--out needs a value: --out VALUE`},
		{[]string{"--out", ""}, nil, `--out is empty: give it a value or leave it out`},
		{[]string{"--cache="}, nil, `--cache is empty: give it a value or leave it out`},
		{[]string{"--pg-bin", ""}, map[string]string{"DELETECOST_PG_BIN": "/p"}, `--pg-bin is empty: give it a value or leave it out`},
		{[]string{"--check=maybe"}, nil, `--check is "maybe": give it no value, or true or false`},
		{nil, map[string]string{"DELETECOST_CHECK": "maybe"}, `DELETECOST_CHECK is "maybe": set it to true or false`},
		{[]string{"--=x"}, nil, `reading the command line: bad flag syntax: --=x: flags are written --name VALUE or --name=VALUE`},
	} {
		var o options
		_, err := parse(o.runFlags(), c.args, environment(c.env))
		var usage *usageError
		if !errors.As(err, &usage) || err.Error() != c.want {
			t.Errorf("%q: %v\nwant %s", c.args, err, c.want)
		}
	}
	var o options
	if _, err := parse(o.runFlags(), []string{"--help"}, environment(nil)); !errors.Is(err, errHelp) {
		t.Errorf("--help: %v", err)
	}
}
