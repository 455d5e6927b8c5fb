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
