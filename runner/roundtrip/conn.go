package roundtrip

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"deletecost/runner/waiting"
)

// conn is a connection whose answers come from far away. One goroutine writes at a time, as pgx does; reading, setting
// deadlines and closing may go on beside it.
type conn struct {
	net.Conn
	network *Network
	clock   *waiting.Clock // nil: nobody asks what is waited for
	// turned says that the next write begins a flight: the other side spoke last, or nobody did yet.
	turned atomic.Bool

	mu sync.Mutex
	// closed and deadline are what ends a wait early; the zero deadline is none.
	closed   bool
	deadline time.Time
	// changed is closed, and replaced, when one of them changes.
	changed chan struct{}
}

func newConn(opened net.Conn, network *Network, clock *waiting.Clock) *conn {
	c := &conn{Conn: opened, network: network, clock: clock, changed: make(chan struct{})}
	c.turned.Store(true)
	return c
}

// Read reads at once: the whole round trip is paid by the write.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.turned.Store(true)
	}
	return n, err
}

// Write waits for a round trip if it follows a read. A close or a write deadline ends the wait with the error that it
// would end a write with.
func (c *conn) Write(p []byte) (int, error) {
	if c.turned.Load() {
		begun, delay := time.Now(), c.network.Delay()
		if err := c.wait(delay); err != nil {
			return 0, &net.OpError{Op: "write", Net: c.RemoteAddr().Network(), Addr: c.RemoteAddr(), Err: err}
		}
		// Not before the wait: what is read while nothing is under way answers no write of this flight.
		c.turned.Store(false)
		c.network.flights.Add(1)
		if delay > 0 {
			c.network.keep(time.Since(begun))
		}
	}
	return c.Conn.Write(p)
}

// Close also ends a wait.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.change(func() { c.closed = true })
	return err
}

// SetDeadline also limits a wait, one that has begun too.
func (c *conn) SetDeadline(t time.Time) error {
	err := c.Conn.SetDeadline(t)
	c.change(func() { c.deadline = t })
	return err
}

// SetWriteDeadline also limits a wait, one that has begun too.
func (c *conn) SetWriteDeadline(t time.Time) error {
	err := c.Conn.SetWriteDeadline(t)
	c.change(func() { c.deadline = t })
	return err
}

func (c *conn) change(set func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set()
	close(c.changed)
	c.changed = make(chan struct{})
}

// uninterrupted is the rest of a wait that no close and no deadline cuts short. It is longer than a timer of Go is
// late by.
const uninterrupted = 2 * time.Millisecond

func (c *conn) wait(delay time.Duration) error {
	if delay == 0 {
		return nil
	}
	c.clock.Begin(waiting.Pauses)
	defer c.clock.End(waiting.Pauses)
	end := time.Now().Add(delay)
	for {
		until, changed, err := c.limit(end)
		if err != nil {
			return err
		}
		if left := time.Until(until); left > uninterrupted {
			sleepOrChange(left-uninterrupted, changed)
			continue
		}
		standStill(until)
		if until.Equal(end) {
			return nil
		}
	}
}

// limit is how far a wait until end may go as things are, and what tells that they are different.
func (c *conn) limit(end time.Time) (until time.Time, changed <-chan struct{}, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return end, nil, net.ErrClosed
	case c.deadline.IsZero() || !c.deadline.Before(end):
		return end, c.changed, nil
	case !time.Now().Before(c.deadline):
		return end, nil, os.ErrDeadlineExceeded
	}
	return c.deadline, c.changed, nil
}

func sleepOrChange(d time.Duration, changed <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-changed:
	}
}
