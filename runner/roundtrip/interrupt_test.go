package roundtrip

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// A wait of an hour ends when the connection closes or its deadline passes, whether it was set before or meanwhile.
func TestInterruptedWait(t *testing.T) {
	past := time.Unix(1, 0)
	for _, test := range []struct {
		name          string
		before, while func(net.Conn)
		want          error
		timeout       bool
	}{
		{"closed", nil, func(c net.Conn) { c.Close() }, net.ErrClosed, false},
		{"past deadline", nil, func(c net.Conn) { c.SetDeadline(past) }, os.ErrDeadlineExceeded, true},
		{"past write deadline", nil, func(c net.Conn) { c.SetWriteDeadline(past) }, os.ErrDeadlineExceeded, true},
		{"deadline that comes", func(c net.Conn) { c.SetDeadline(time.Now().Add(30 * time.Millisecond)) }, nil, os.ErrDeadlineExceeded, true},
		{"deadline put off, then passed", func(c net.Conn) { c.SetDeadline(time.Now().Add(time.Minute)) },
			func(c net.Conn) { c.SetDeadline(time.Time{}); c.SetDeadline(past) }, os.ErrDeadlineExceeded, true},
		{"closed before", func(c net.Conn) { c.Close() }, nil, net.ErrClosed, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var n Network
			c := dialEcho(t, &n)
			n.SetDelay(time.Hour)
			if test.before != nil {
				test.before(c)
			}
			err := interrupted(t, c, test.while)
			var timeout net.Error
			if !errors.Is(err, test.want) || !errors.As(err, &timeout) || timeout.Timeout() != test.timeout {
				t.Errorf("got %v, want %v, timeout %v", err, test.want, test.timeout)
			}
			if got := n.Flights(); got != 0 {
				t.Errorf("%d flights, want none for a write that never left", got)
			}
		})
	}
}

// interrupted writes, does what is to be done while the write waits, and gives the error of the write.
func interrupted(t *testing.T, c net.Conn, while func(net.Conn)) error {
	t.Helper()
	failed := make(chan error, 1)
	go func() {
		_, err := c.Write([]byte("x"))
		failed <- err
	}()
	if while != nil {
		time.Sleep(20 * time.Millisecond)
		while(c)
	}
	select {
	case err := <-failed:
		return err
	case <-time.After(5 * time.Second):
		t.Fatal("the write still waits")
		return nil
	}
}

// After a deadline is lifted, the connection goes on and the flight that failed is made again.
func TestWriteAfterDeadline(t *testing.T) {
	var n Network
	c := dialEcho(t, &n)
	n.SetDelay(time.Hour)
	c.SetDeadline(time.Unix(1, 0))
	if _, err := c.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("got %v, want the deadline's error", err)
	}
	c.SetDeadline(time.Time{})
	n.SetDelay(time.Millisecond)
	start := time.Now()
	say(t, c, 1)
	if took := time.Since(start); took < time.Millisecond || n.Flights() != 1 {
		t.Errorf("took %v and %d flights, want at least 1 ms and 1", took, n.Flights())
	}
}
