package postgres

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestServerLogPutsLinesTogether(t *testing.T) {
	var out strings.Builder
	l := &serverLog{name: "a", out: &sharedLog{out: &out}}
	for _, part := range []string{"on", "e\ntw", "o\n\nthr"} {
		fmt.Fprint(l, part)
	}
	if want := "a: one\na: two\na: \n"; out.String() != want {
		t.Errorf("written %q, want %q", out.String(), want)
	}
	if got, want := l.tail(), "one | two |  | thr"; got != want {
		t.Errorf("tail %q, want %q", got, want)
	}
}

func TestServerLogRemembersTheLastLines(t *testing.T) {
	l := &serverLog{out: &sharedLog{}}
	for i := range 30 {
		fmt.Fprintf(l, "%d\n", i)
	}
	if got, want := l.tail(), "18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29"; got != want {
		t.Errorf("tail %q, want %q", got, want)
	}
}

func TestLogLines(t *testing.T) {
	l := &serverLog{out: &sharedLog{}}
	for i := range keptLines + 3 {
		fmt.Fprintf(l, "%d\n", i)
	}
	fmt.Fprint(l, "not yet whole")
	lines := (&Server{log: l}).LogLines()
	if len(lines) != keptLines || lines[0] != "3" || lines[keptLines-1] != "2002" {
		t.Errorf("%d lines from %q to %q, want the last 2,000 whole ones: 3 to 2002", len(lines), lines[0], lines[len(lines)-1])
	}
}

func TestGistOfALog(t *testing.T) {
	for _, c := range []struct {
		text    string
		atLeast int
		want    string
	}{
		{"running bootstrap script ... FATAL:  no memory\nHINT:  buy some\ninitdb: removing data directory\n", 0, "FATAL:  no memory"},
		{"The files ...\ninitdb: error: no such file\ninitdb: hint: look\n", 0, "initdb: error: no such file"},
		{"one\ntwo\nthree", 0, "one | two | three"},
		{"LOG:  one\nLOG:  two\nLOG:  three\n", 2, "LOG:  two | LOG:  three"},
		{"PANIC:  the disk\nLOG:  a\nLOG:  b\nLOG:  c\n", 2, "PANIC:  the disk | LOG:  b | LOG:  c"},
		{"FATAL:  the database system is starting up\nLOG:  a\n", 1, "LOG:  a"},
		{"LOG:  one\n", 2, "LOG:  one"},
		{"", 2, ""},
	} {
		l := &serverLog{out: &sharedLog{}}
		fmt.Fprint(l, c.text)
		if got := l.gist(c.atLeast); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestServerLogOutlivesItsWriter(t *testing.T) {
	l := &serverLog{out: &sharedLog{out: brokenWriter{}}}
	if n, err := fmt.Fprint(l, "one\n"); n != 4 || err != nil {
		t.Errorf("%d, %v; want 4 and no error, or the server would stall", n, err)
	}
	if l.tail() != "one" {
		t.Errorf("tail %q, want one", l.tail())
	}
}
