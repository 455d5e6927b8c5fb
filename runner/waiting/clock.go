// Package waiting tells how much of the wall clock a program waited, and for what.
package waiting

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// A Kind is what is waited for. Of several at the same moment the first in this order is counted.
type Kind int

// The kinds.
const (
	Servers    Kind = iota // servers that are initialised, start or stop
	Answers                // answers of servers, and servers that take the data of a COPY
	Background             // work of servers that nobody answers for, between two looks: autovacuum, a standby's replay
	Pauses                 // the time itself: round trips that are added, sleeps on purpose
	Kinds                  // how many there are
)

// A Clock adds up the time in which at least one goroutine waits. It counts a moment once, however many wait: what it
// tells is a union and no sum. It is safe for use by several goroutines and takes no lock. A nil Clock counts nothing.
type Clock struct {
	now   func() time.Duration // since the clock's start
	open  atomic.Uint64        // how many wait now, wide bits a kind, the first kind lowest
	total [Kinds]atomic.Int64  // ns by kind: the ends of what was counted less the begins of it
}

// wide is how many bits count those who wait for one kind: up to 65,535 goroutines.
const wide = 64 / int(Kinds)

// NewClock returns a clock that reads the time since its start from a function.
func NewClock(now func() time.Duration) *Clock { return &Clock{now: now} }

// Since is the time since a moment that has a monotonic reading, for a NewClock.
func Since(start time.Time) func() time.Duration {
	return func() time.Duration { return time.Since(start) }
}

// Begin says that one more waits; its End follows. It reads the time after it is counted, and End before: what is kept
// from running in between is at the worst missing in what was waited.
func (c *Clock) Begin(k Kind) {
	if c == nil {
		return
	}
	one := uint64(1) << (wide * int(k))
	after := c.open.Add(one)
	if from, to := first(after-one), first(after); from != to {
		c.turn(from, to, int64(c.now()))
	}
}

// End says that one has waited.
func (c *Clock) End(k Kind) {
	if c == nil {
		return
	}
	now := int64(c.now())
	one := uint64(1) << (wide * int(k))
	after := c.open.Add(-one)
	if from, to := first(after+one), first(after); from != to {
		c.turn(from, to, now)
	}
}

// turn ends one kind and begins another one. As the moment is only added, it does not matter in which order those who
// wait at the same time come to it.
func (c *Clock) turn(from, to Kind, now int64) {
	if from < Kinds {
		c.total[from].Add(now)
	}
	if to < Kinds {
		c.total[to].Add(-now)
	}
}

// first is the kind that is counted; Kinds when nobody waits.
func first(open uint64) Kind { return Kind(bits.TrailingZeros64(open) / wide) }

// A Reading is what a clock shows at a moment.
type Reading struct {
	Wall   time.Duration        // since its start
	Waited [Kinds]time.Duration // of that, by kind
}

// tries are enough to meet a moment at which nobody is about to change a clock.
const tries = 10_000

// Read reads the clock. It repeats while others are just about to change it, which makes a total absurd.
func (c *Clock) Read() Reading {
	if c == nil {
		return Reading{}
	}
	var r Reading
	for range tries {
		open := c.open.Load()
		for k := range c.total {
			r.Waited[k] = time.Duration(c.total[k].Load())
		}
		r.Wall = c.now()
		if k := first(open); k < Kinds {
			r.Waited[k] += r.Wall
		}
		if open == c.open.Load() && r.possible() {
			break
		}
		runtime.Gosched()
	}
	for k, t := range r.Waited {
		r.Waited[k] = min(max(t, 0), r.Wall)
	}
	return r
}

// possible is false for a sum in which a begin or an end is missing: either is as long as the clock has run.
func (r Reading) possible() bool {
	sum := time.Duration(0)
	for _, t := range r.Waited {
		if t < 0 {
			return false
		}
		sum += t
	}
	return sum <= r.Wall
}

// Since is what came after an earlier reading.
func (r Reading) Since(before Reading) Reading {
	r.Wall -= before.Wall
	for k := range r.Waited {
		r.Waited[k] -= before.Waited[k]
	}
	return r
}

// Plus is both together.
func (r Reading) Plus(other Reading) Reading {
	r.Wall += other.Wall
	for k := range r.Waited {
		r.Waited[k] += other.Waited[k]
	}
	return r
}
