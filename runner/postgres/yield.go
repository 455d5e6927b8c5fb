package postgres

import (
	"runtime"
	"time"
)

// yieldEvery is half of the time after which Go's scheduler takes the processor from a goroutine that has not given way.
const yieldEvery = 5 * time.Millisecond

// A Yield gives way to Go's scheduler between timed executions, so that it does not happen within one: a goroutine that
// runs for 10 ms, in system calls too, is made to give way, and the runtime's watching thread then wakes every 20 µs for
// a while. The zero Yield is ready; it belongs to one goroutine.
type Yield struct{ last time.Time }

// Between is called between two timed executions. It gives way when the last time was 5 ms ago.
func (y *Yield) Between() {
	if time.Since(y.last) > yieldEvery {
		runtime.Gosched()
		y.last = time.Now()
	}
}
