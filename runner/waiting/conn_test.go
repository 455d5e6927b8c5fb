package waiting

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// dialled is a measured connection, whose clock shows now, and its other side.
func dialled(t *testing.T, now *atomic.Int64) (near, far net.Conn, c *Clock) {
	t.Helper()
	a, b := net.Pipe()
	c = at(now)
	near, err := Dialer(func(context.Context, string, string) (net.Conn, error) { return a, nil })(With(t.Context(), c), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); b.Close() })
	return near, b, c
}

// begun waits until somebody waits on the clock, or nobody does.
func begun(t *testing.T, c *Clock, want bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); (c.open.Load() != 0) != want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("somebody waits: %v, want %v", !want, want)
		}
	}
}

func TestReadIsWaiting(t *testing.T) {
	var now atomic.Int64
	near, far, c := dialled(t, &now)
	done := make(chan error, 1)
	now.Store(10)
	go func() { _, err := near.Read(make([]byte, 1)); done <- err }()
	begun(t, c, true)
	now.Store(35)
	go far.Write([]byte("x"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	now.Store(50)
	if got := c.Read().Waited; got != [Kinds]time.Duration{Answers: 25} {
		t.Errorf("waited %v, want 25 for answers", got)
	}
}

// The read under way while data of a COPY is sent does not wait; the writes do, and the read once the data is done.
func TestCopyWaitsForItsWrites(t *testing.T) {
	var now atomic.Int64
	near, far, c := dialled(t, &now)
	read, written := make(chan error, 1), make(chan error, 1)
	now.Store(10)
	go func() { _, err := near.Read(make([]byte, 1)); read <- err }()
	begun(t, c, true)
	write := func(text string, from, to int64) {
		t.Helper()
		now.Store(from)
		go func() { _, err := near.Write([]byte(text)); written <- err }()
		if text[0] == copyData {
			begun(t, c, true)
		}
		now.Store(to)
		if _, err := io.ReadFull(far, make([]byte, len(text))); err != nil {
			t.Fatal(err)
		}
		if err := <-written; err != nil {
			t.Fatal(err)
		}
	}
	write("data", 20, 30) // counted from 10 on: the read, then the write
	begun(t, c, false)
	write("data", 50, 55)
	begun(t, c, false)
	write("c", 70, 70) // done: the read answers from here
	begun(t, c, true)
	now.Store(90)
	far.Write([]byte("C"))
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	if got := c.Read().Waited[Answers]; got != 20+5+20 {
		t.Errorf("waited %d, want 45: 10 to 30, 50 to 55 and 70 to 90", got)
	}
}

func TestDialerWithoutClockOrConnection(t *testing.T) {
	a, _ := net.Pipe()
	plain := Dialer(func(context.Context, string, string) (net.Conn, error) { return a, nil })
	if got, err := plain(t.Context(), "", ""); got != a || err != nil {
		t.Errorf("got %v, %v, want the connection as it is", got, err)
	}
	refused := errors.New("refused")
	failing := Dialer(func(context.Context, string, string) (net.Conn, error) { return nil, refused })
	if got, err := failing(With(t.Context(), NewClock(Since(time.Now()))), "", ""); got != nil || err != refused {
		t.Errorf("got %v, %v, want the error", got, err)
	}
}
