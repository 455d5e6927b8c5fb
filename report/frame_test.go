package report

import (
	"slices"
	"strings"
	"testing"

	"deletecost/runner"
)

func TestReproduction(t *testing.T) {
	r := runner.Record{PostgreSQL: runner.Binaries{Version: "17.10", Pinned: true}, Scale: runner.Laptop, Seed: 7,
		Command: []string{"run", "--out", "/somewhere/private", "--set", "a.n=1", "--set=b.n=2", "-set", "a.m=3"}, Experiments: []runner.Outline{{Experiment: "a"}, {Experiment: "b"}}}
	for experiment, want := range map[string]string{
		"a":      "deletecost a --pg 17.10 --scale laptop --seed 7 --set a.n=1 --set a.m=3",
		"b":      "deletecost b --pg 17.10 --scale laptop --seed 7 --set b.n=2",
		wholeRun: "deletecost a b --pg 17.10 --scale laptop --seed 7 --set a.n=1 --set b.n=2 --set a.m=3",
	} {
		if got := reproduction(r, runner.Outline{Experiment: experiment}); got != want {
			t.Errorf("%s: got %q, want %q", experiment, got, want)
		}
	}
	r.PostgreSQL.Pinned = false
	if got, want := reproduction(r, runner.Outline{Experiment: "b"}), "deletecost b --pg-bin DIR --scale laptop --seed 7 --set b.n=2"; got != want {
		t.Errorf("own binaries: got %q, want %q", got, want)
	}
}

func TestLetteredHasRoom(t *testing.T) {
	one := func(rune) float64 { return 1 }
	for _, c := range []struct {
		text string
		room float64
		want []string
	}{
		{"", 5, nil},
		{"ab cd", 5, []string{"ab cd"}},
		{"ab cd ef", 5, []string{"ab cd", "ef"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a bcdefgh", 4, []string{"a", "bcde", "fgh"}},
		{"ab  cd", 2, []string{"ab", "cd"}},
	} {
		if got := lettered(c.text, 1, c.room, one); !slices.Equal(got, c.want) {
			t.Errorf("%q in %v: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

func TestAccountIsDrawn(t *testing.T) {
	f := open(t)
	f.Record.Account = &runner.Account{Before: runner.Spent{Seconds: 2}, Report: runner.Spent{Seconds: 1}, Memory: 64 << 20}
	f.Record.Experiments[0].Phases = &runner.Phases{Measuring: runner.Spent{Seconds: 17, Answers: 16.2, Pauses: 0.5}}
	html := string(render(t, f, stub))
	for _, want := range []string{`id="run-time"`, `id="run/time"`, "in <strong>16.2 s</strong>, <strong>81.0 %</strong>; 16.5 % were its own work", "<strong>64.0 MiB</strong>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	if all, err := Charts(f, stub); err != nil || all["run-time.svg"] == nil {
		t.Errorf("the account is no picture: %v", err)
	}
}
