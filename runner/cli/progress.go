package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"deletecost/runner"
	"deletecost/runner/fetch"
)

// rewriteEvery is the shortest time between two rewritings of a line: writing
// to a terminal takes time that belongs to the server.
const rewriteEvery = 100 * time.Millisecond

// progress writes to standard error. The rules:
//
//   - an error or a warning is one line that begins with "deletecost: ";
//   - on a terminal each step has one line, rewritten in place; the last form
//     stays and has the step's duration;
//   - anywhere else each step is one plain line when it is over;
//   - when quiet, only warnings and errors are written.
type progress struct {
	out   io.Writer
	width func() int // columns of the terminal; nil when it is none
	now   func() time.Time

	mu       sync.Mutex
	quiet    bool
	stopped  bool     // the run was interrupted
	warnings []string // all that were given, for the record
	open     int      // columns of the line that may still be rewritten
	last     time.Time
}

// event shows how far an experiment is.
func (p *progress) event(e runner.Event) {
	name := e.Experiment + ": " + e.Step
	if e.Finished {
		p.step(name, finishedText(e, p.isStopped()))
		return
	}
	p.rewrite(name, runningText(e), e.Done == 0)
}

func runningText(e runner.Event) string {
	if e.Total == 0 {
		return ""
	}
	text := fmt.Sprintf(": %d of %d", e.Done, e.Total)
	if e.Done > 0 && e.Done < e.Total {
		left := time.Duration(float64(e.Took) / float64(e.Done) * float64(e.Total-e.Done))
		text += ", " + duration(left) + " to go"
	}
	return text
}

// finishedText is for a step that is over. In a run that was stopped only a
// step that has come to its total has certainly ended.
func finishedText(e runner.Event, stopped bool) string {
	ended := e.Total > 0 && e.Done >= e.Total
	switch {
	case stopped && !ended && e.Total > 0:
		return fmt.Sprintf(": %d of %d, interrupted after %s", e.Done, e.Total, duration(e.Took))
	case stopped && !ended:
		return ": interrupted after " + duration(e.Took)
	case e.Total > 0:
		return fmt.Sprintf(": %d of %d in %s", e.Done, e.Total, duration(e.Took))
	}
	return ": " + duration(e.Took)
}

// stop says that the run was interrupted, and marks the steps that end then.
func (p *progress) stop(text string) {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.say(text)
}

func (p *progress) isStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// fetching shows how far a download is.
func (p *progress) fetching(f fetch.Progress) {
	if f.Warning {
		p.warn(f.File + ": " + f.Message)
		return
	}
	state := ""
	if f.Total > 0 {
		state = fmt.Sprintf(" %d %% of %s", 100*f.Done/f.Total, runner.Humanize(fmt.Sprint(f.Total), "bytes"))
	} else if f.Done > 0 {
		state = " " + runner.Humanize(fmt.Sprint(f.Done), "bytes")
	}
	p.rewrite(f.File+" from "+f.Source+": "+f.Message, state, f.Done == 0)
}

// step ends the line of a step.
func (p *progress) step(name, state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet {
		p.erase()
		fmt.Fprintln(p.out, p.fit(name, state))
	}
}

// note writes a line that is not rewritten and never cut.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet {
		p.erase()
		fmt.Fprintln(p.out, clean(text))
	}
}

// rewrite shows the state of a step that is under way, on a terminal only; at
// once when the step is new.
func (p *progress) rewrite(name, state string, isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.quiet || p.width == nil || !isNew && now.Sub(p.last) < rewriteEvery {
		return
	}
	p.last = now
	p.erase()
	text := p.fit(name, state)
	p.open = utf8.RuneCountInString(text)
	fmt.Fprint(p.out, text)
}

// erase blanks the open line. Blanks need no escape codes, which some
// consoles do not know.
func (p *progress) erase() {
	if p.open > 0 {
		fmt.Fprint(p.out, "\r"+strings.Repeat(" ", p.open)+"\r")
	}
	p.open = 0
}

// fit cuts a name so that the line never wraps: a wrapped line cannot be
// rewritten.
func (p *progress) fit(name, state string) string {
	name = clean(name)
	if p.width == nil {
		return name + state
	}
	runes := []rune(name)
	room := max(1, p.width()-1-utf8.RuneCountInString(state))
	if len(runes) > room {
		name = string(runes[:room-1]) + "…"
	}
	return name + state
}

// say writes a line of its own, also when quiet; it is never cut.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.out, "deletecost: "+clean(text))
}

// warn says something that the user should know, and keeps it for the record.
func (p *progress) warn(text string) {
	p.say("warning: " + text)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warnings = append(p.warnings, clean(text))
}

// outcome says what went wrong, one line an error. What an interruption
// brought about was announced when it came.
func (p *progress) outcome(err error, interrupted bool) {
	p.mu.Lock()
	p.erase()
	p.mu.Unlock()
	for _, e := range parts(err) {
		if !interrupted || !errors.Is(e, context.Canceled) {
			p.say(strings.ReplaceAll(e.Error(), "\n", "; "))
		}
	}
}

// duration writes a time for people: 0.3 s, 12 s, 2 min 5 s, 1 h 3 min.
func duration(d time.Duration) string {
	switch s := int(d.Seconds() + 0.5); {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}
