package retention

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A usage is what a run took of the machine.
type usage struct {
	client float64 // s of CPU of this program; negative: not told
	server float64 // s of CPU of the server with all its processes; negative: not told
	memory float64 // bytes: the most that this program held at once beyond what it held before, as the Go runtime counts what it has of the system
}

// A usageWatch measures from its beginning to stop.
type usageWatch struct {
	postmaster     int
	client, server float64
	before         float64 // bytes held at the beginning, such as latencies of earlier runs
	most           chan float64
	end            chan struct{}
}

// memoryEvery is how often memory is looked at.
const memoryEvery = 5 * time.Millisecond

// watchUsage begins with what loading left given back.
func watchUsage(postmaster int) *usageWatch {
	debug.FreeOSMemory()
	w := &usageWatch{postmaster: postmaster, most: make(chan float64), end: make(chan struct{})}
	w.before = heldMemory()
	go w.look()
	w.client, w.server = clientCPU(), serverCPU(postmaster)
	return w
}

// look keeps the largest amount of memory until the end.
func (w *usageWatch) look() {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	most := heldMemory()
	for {
		select {
		case <-tick.C:
			most = max(most, heldMemory())
		case <-w.end:
			w.most <- max(most, heldMemory())
			return
		}
	}
}

func (w *usageWatch) stop() usage {
	u := usage{client: since(w.client, clientCPU()), server: since(w.server, serverCPU(w.postmaster))}
	close(w.end)
	u.memory = <-w.most - w.before
	return u
}

// since is a difference, or negative when either end was not told.
func since(from, to float64) float64 {
	if from < 0 || to < 0 {
		return -1
	}
	return to - from
}

// heldMemory is what the Go runtime has of the system and has not given back,
// in bytes: heap, stacks and its own.
func heldMemory() float64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return float64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
