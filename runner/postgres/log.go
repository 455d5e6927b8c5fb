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

// lastLines is how many lines of a server's log an error tells.
const lastLines = 12

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
		l.last = slices.Delete(l.last, 0, max(0, len(l.last)-lastLines))
		l.rest = slices.Clone(rest)
	}
}

// tail is the last lines as one line of text.
func (l *serverLog) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) == 0 {
		return strings.Join(l.last, " | ")
	}
	return strings.Join(append(slices.Clone(l.last), string(l.rest)), " | ")
}
