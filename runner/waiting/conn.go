package waiting

import (
	"context"
	"net"
	"sync/atomic"
)

// Dialer gives a dialler whose connections tell the clock of the context that they were dialled with when they wait for
// an answer: as long as a read is under way. Without a clock a connection stays as dial has made it.
//
// While the program sends the data of a COPY a read is under way too, for the server's complaints: that is no waiting.
// Then the writes are, which last as long as the server takes no more.
func Dialer(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		opened, err := dial(ctx, network, address)
		clock := From(ctx)
		if err != nil || clock == nil {
			return opened, err
		}
		return &conn{Conn: opened, clock: clock}, nil
	}
}

// conn is a connection to a server. One goroutine reads and another one may write.
type conn struct {
	net.Conn
	clock *Clock
	read  atomic.Int32
}

// What the goroutine that reads does.
const (
	idle    int32 = iota
	counted       // it waits for an answer
	watches       // it listens while data is sent
)

func (c *conn) Read(p []byte) (int, error) {
	c.clock.Begin(Answers)
	c.read.Store(counted)
	n, err := c.Conn.Read(p)
	if c.read.Swap(idle) == counted {
		c.clock.End(Answers)
	}
	return n, err
}

// copyData is the first byte of a message with data of a COPY (documentation, "Message Formats").
const copyData = 'd'

func (c *conn) Write(p []byte) (int, error) {
	if len(p) == 0 || p[0] != copyData {
		c.answered()
		return c.Conn.Write(p)
	}
	if c.read.CompareAndSwap(counted, watches) {
		c.clock.End(Answers)
	}
	c.clock.Begin(Answers)
	defer c.clock.End(Answers)
	return c.Conn.Write(p)
}

// answered counts a read again that was under way while data was sent: the data has come to its end.
func (c *conn) answered() {
	if c.read.Load() != watches {
		return
	}
	c.clock.Begin(Answers) // first, since the read may end now
	if !c.read.CompareAndSwap(watches, counted) {
		c.clock.End(Answers)
	}
}
