package postgres

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// sharedLog lets several servers write whole lines to one writer.
type sharedLog struct {
	mu  sync.Mutex
	out io.Writer
}

// line writes one line with the server's name before it. Its errors are dropped: a server must not stall, nor its log
// in memory stop, because a file of the tool cannot be written.
func (l *sharedLog) line(name string, text []byte) {
	if l.out == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.out, "%s: %s\n", name, text)
}

const (
	// lastLines is how many lines of a server's log an error tells.
	lastLines = 12
	// keptLines is how many lines of a server's log are remembered, for what reads the server's own reports there.
	keptLines = 2000
)

// serverLog takes the standard error of one server: it passes lines on and remembers the last ones.
type serverLog struct {
	name string
	out  *sharedLog

	mu   sync.Mutex
	rest []byte // a line whose end has not come yet
	last []string
}

// Write never fails.
func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		l.out.line(l.name, line)
		l.last = append(l.last, string(line))
		l.last = slices.Delete(l.last, 0, max(0, len(l.last)-keptLines))
		l.rest = slices.Clone(rest)
	}
}

// lines are the last ones, with one whose end has not come.
func (l *serverLog) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := slices.Clone(l.last[max(0, len(l.last)-lastLines):])
	if len(l.rest) == 0 {
		return last
	}
	return append(last, string(l.rest))
}

// LogLines are the last whole lines that the server wrote to its log, 2,000 at the most, oldest first and without the
// server's name before them.
func (s *Server) LogLines() []string {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return slices.Clone(s.log.last)
}

// tail is the last lines as one line of text.
func (l *serverLog) tail() string { return strings.Join(l.lines(), " | ") }

// complaints are the words before what ended a program, and those of the hint that tells a full disk.
var complaints = []string{"error:", "FATAL:", "PANIC:", "Check free disk space"}

// complains tells whether a line says what went wrong. A server says to the tool that it is starting up whenever that
// tries to connect too early.
func complains(line string) bool {
	return !strings.Contains(line, "the database system is starting up") &&
		slices.ContainsFunc(complaints, func(words string) bool { return strings.Contains(line, words) })
}

// gist is what went wrong as one line of text: the complaints among the last lines, without the step that initdb says
// before them, and the very last lines, at least so many of them.
func (l *serverLog) gist(atLeast int) string {
	lines := l.lines()
	end := max(0, len(lines)-atLeast)
	told := slices.DeleteFunc(slices.Clone(lines[:end]), func(line string) bool { return !complains(line) })
	for i, line := range told {
		if _, complaint, found := strings.Cut(line, " ... "); found {
			told[i] = complaint
		}
	}
	if len(told)+len(lines[end:]) == 0 {
		return l.tail()
	}
	return strings.Join(append(told, lines[end:]...), " | ")
}
