package roundtrip

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/waiting"
)

// Network is a network that does not exist: it delays every connection dialled through it and counts their flights.
// The zero Network adds nothing and counts. It is safe for use by several goroutines and is not copied.
type Network struct {
	delay   atomic.Int64
	flights atomic.Int64

	mu    sync.Mutex
	waits []time.Duration
}

// SetDelay sets the time that one round trip takes, 0 or more, for waits that begin from now on. Connections stay
// open, so the same one serves with the delay and without.
func (n *Network) SetDelay(roundTrip time.Duration) {
	n.delay.Store(int64(max(roundTrip, 0)))
}

// Delay is the time that one round trip takes.
func (n *Network) Delay() time.Duration {
	return time.Duration(n.delay.Load())
}

// Flights is the number of round trips begun since the start or the last Reset, over all connections: writes that
// followed a read or opened a connection. Establishing the connection itself is not counted and not delayed; the
// messages that authenticate, end and cancel are. A write that failed during its wait is not counted.
func (n *Network) Flights() int64 {
	return n.flights.Load()
}

// maxWaits is the most waits that are kept.
const maxWaits = 1 << 20

func (n *Network) keep(wait time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waits) < maxWaits {
		n.waits = append(n.waits, wait)
	}
}

// Waits returns how long each flight with a delay really waited, in order, since the start or the last call, a million
// at the most. It is what the delay added to its query by itself, whatever client and server did meanwhile.
func (n *Network) Waits() []time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	waits := n.waits
	n.waits = nil
	return waits
}

// Reset starts the count of flights again and returns what it was.
func (n *Network) Reset() int64 {
	return n.flights.Swap(0)
}

// DialFunc gives a dialler whose connections go over this network. They are opened by base, or by net.Dialer when base
// is nil; its errors are returned as they are. It fits the DialFunc field of a pgconn.Config.
func (n *Network) DialFunc(base pgconn.DialFunc) pgconn.DialFunc {
	if base == nil {
		base = new(net.Dialer).DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		opened, err := base(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return newConn(opened, n, waiting.From(ctx)), nil
	}
}
