package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"deletecost/runner"
)

// Experiments of tests: no server is needed to ask for them.
var (
	soft = &runner.Experiment{Name: "softdelete", Title: "Soft delete", Question: "Does it cost?", Source: "s1",
		Knobs: []runner.Knob{
			{Name: "cycles", Meaning: "rounds of churn", Min: 1, Max: 500, Smoke: 3, Laptop: 50, Published: 50},
			{Name: "batch", Meaning: "rows inserted in a cycle", Unit: "rows", Min: 10, Max: 100000, Smoke: 500, Laptop: 5000, Published: 5000},
		},
		Space: func(v runner.Values) int64 { return v["cycles"] * 1 << 20 }}
	bulk = &runner.Experiment{Name: "bulkdelete", Title: "Bulk delete", Question: "And this?", Source: "s3",
		Space: func(runner.Values) int64 { return 10 << 20 }}
	both = []*runner.Experiment{soft, bulk}
)

func asked(t *testing.T, names []string, args ...string) *request {
	t.Helper()
	r, err := tryAsking(names, args...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryAsking(names []string, args ...string) (*request, error) {
	var o options
	if _, err := parse(o.runFlags(), args, environment(nil)); err != nil {
		return nil, err
	}
	return newRequest(o, names, both)
}

func TestRequest(t *testing.T) {
	r := asked(t, nil)
	if !slices.Equal(r.experiments, both) || r.scale != runner.Laptop || r.seed != 1234 || r.knobs["softdelete"]["cycles"] != 50 {
		t.Errorf("the usual run is %+v", r)
	}
	r = asked(t, []string{"bulkdelete", "softdelete"}, "--scale", "smoke", "--set", "softdelete.batch=600", "--set", "softdelete.batch=700", "--seed", "18446744073709551615")
	if !slices.Equal(r.experiments, []*runner.Experiment{bulk, soft}) {
		t.Errorf("not in the order in which they were named: %v", r.experiments)
	}
	if v := r.knobs["softdelete"]; v["cycles"] != 3 || v["batch"] != 700 || r.seed != 1<<64-1 {
		t.Errorf("knobs %v, seed %d", v, r.seed)
	}
}

func TestRequestThatIsRefused(t *testing.T) {
	for _, c := range []struct {
		names []string
		args  []string
		want  string
	}{
		{[]string{"softdelte"}, nil, `unknown experiment "softdelte": did you mean softdelete?`},
		{[]string{"vacuum"}, nil, `unknown experiment "vacuum": choose one of softdelete, bulkdelete`},
		{[]string{"list"}, nil, `"list" is not an experiment: a word stands before everything else: deletecost list`},
		{[]string{"softdelete", "softdelete"}, nil, `experiment "softdelete" is named twice: name it once`},
		{nil, []string{"--scale", "lpatop"}, `unknown scale "lpatop": did you mean laptop?`},
		{nil, []string{"--scale", "huge"}, `unknown scale "huge": choose one of smoke, laptop, published`},
		{nil, []string{"--seed", "-1"}, `--seed is "-1": give a whole number from 0 to 18446744073709551615`},
		{nil, []string{"--pg", "17,16,17.10"}, `--pg is "17,16,17.10": PostgreSQL 17.10 is named twice: name it once`},
		{nil, []string{"--pg", "16,,17"}, `unknown PostgreSQL version "": choose one of 16, 16.14, 17, 17.10, 18, 18.4`},
		{nil, []string{"--pg", "16,17", "--pg-bin", "/p"}, `--pg is "16,17" and --pg-bin holds one version: leave --pg out, or name that version`},
		{nil, []string{"--runs", "0"}, `--runs is "0": give a whole number from 1 to 99`},
		{nil, []string{"--runs", "many"}, `--runs is "many": give a whole number from 1 to 99`},
		{nil, []string{"--pg-mirror", "repo.example"}, `--pg-mirror is "repo.example": give the http or https address of a Maven repository`},
		{nil, []string{"--set", "softdelete.cycle=5"}, `unknown knob of softdelete "cycle": did you mean cycles?`},
		{nil, []string{"--set", "softdelete.cycles=0"}, `--set softdelete.cycles=0: cycles is 0, outside 1 to 500: choose a value inside`},
		{nil, []string{"--set", "softdelete.cycles=many"}, `--set softdelete.cycles=many: cycles takes a whole number from 1 to 500, not "many"`},
		{nil, []string{"--set", "softdelete.cycles"}, `--set is "softdelete.cycles": write experiment.knob=value`},
		{nil, []string{"--set", "cycles=5"}, `--set is "cycles=5": write experiment.knob=value`},
		{nil, []string{"--set", "soft.cycles=5"}, `unknown experiment "soft": did you mean softdelete?`},
		{nil, []string{"--set", "bulkdelete.rows=5"}, `unknown knob of bulkdelete "rows": there is none to choose`},
		{[]string{"bulkdelete"}, []string{"--set", "softdelete.cycles=5"},
			`--set softdelete.cycles=5: experiment "softdelete" is not in this run; name it or leave the knob out`},
	} {
		_, err := tryAsking(c.names, c.args...)
		var usage *usageError
		if !errors.As(err, &usage) || err.Error() != c.want {
			t.Errorf("%q %q: %v\nwant %s", c.names, c.args, err, c.want)
		}
	}
}

func TestVersionsOfARequest(t *testing.T) {
	for args, want := range map[string]struct {
		versions []string
		several  bool
	}{
		"":                    {[]string{"17"}, false},
		"--pg=16":             {[]string{"16"}, false},
		"--pg-bin=/p":         {[]string{""}, false},
		"--pg-bin=/p --pg=16": {[]string{"16"}, false},
		"--pg=18,16.14":       {[]string{"18", "16.14"}, true},
		"--pg=16 --runs=2":    {[]string{"16"}, true},
		"--pg=16 --runs=1":    {[]string{"16"}, false},
	} {
		r := asked(t, nil, strings.Fields(args)...)
		if !slices.Equal(r.versions, want.versions) || r.several() != want.several {
			t.Errorf("%q: %q, several %v, want %+v", args, r.versions, r.several(), want)
		}
	}
}

func TestVersionWithoutPins(t *testing.T) {
	if err := checkVersion("17", "plan9/mips"); err != nil {
		t.Errorf("a platform without pins is not the caller's fault: %v", err)
	}
	if err := checkVersion("19", "linux/amd64"); err == nil {
		t.Error("version 19 is not pinned")
	}
}
