package cli

import (
	"context"
	"os"
	"os/signal"
	"time"

	"deletecost/runner/postgres"
)

// atOnce is how long the results may take to be written after a second signal,
// once the servers are told to quit.
const atOnce = 3 * time.Second

// untilSignal does the work and returns the exit code. The first signal ends
// the context: the work stops its servers and keeps what was measured. The
// second ends the servers themselves. A third one ends this program as it ends
// any other; the servers are gone by then.
func (p *program) untilSignal(work func(context.Context) error) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopSignals()...)
	defer signal.Stop(signals)
	keepBrokenPipe()

	done := make(chan int, 1)
	go func() {
		err := work(ctx)
		p.tell.outcome(err, ctx.Err() != nil)
		done <- exitCode(err, ctx.Err() != nil)
	}()
	select {
	case code := <-done:
		return code
	case <-signals:
	}
	p.sayInterrupted()
	cancel()
	select {
	case <-done:
		return exitInterrupted
	case <-signals:
	}
	signal.Stop(signals)
	p.quit()
	select {
	case <-done:
	case <-time.After(atOnce):
	}
	return exitInterrupted
}

func (p *program) sayInterrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host == nil {
		p.tell.stop("interrupted: stopping (again to stop at once)")
		return
	}
	p.tell.stop("interrupted: stopping the server, keeping what was measured (again to stop at once)")
}

// hosts tells who starts the servers, so that a second signal reaches them.
func (p *program) hosts(h *postgres.Host) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.host = h
}

// quit ends the servers without waiting for what they do.
func (p *program) quit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host != nil {
		p.host.Quit()
	}
}
