package retention

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/experiments/retention/checker"
)

// A sample is one insert of a writer, in nanoseconds since the crew began.
type sample struct {
	scheduled int64 // when it was to start; of a closed loop, when it started
	done      int64 // when the server had answered
}

func (s sample) seconds() float64 { return float64(s.done-s.scheduled) / 1e9 }

// maxSamples bounds the memory of all samples of a crew, 16 bytes each. The
// source's longest run had 283,000 inserts, but without its application in
// between there are some thousands a second.
const maxSamples = 1 << 23

// A crew is writers that insert activities into the current month, each on a
// connection of its own with a conversation of its own, until it is told to
// stop. Each insert is one statement and one commit.
type crew struct {
	began   time.Time
	ledgers []string // one a writer

	rate    float64 // inserts a second of all writers; 0: a closed loop
	writers []*writer
	stop    context.CancelFunc
	ended   atomic.Int64 // ns since it began when it was dismissed; 0: it was not
	waiting sync.WaitGroup
	procs   int // GOMAXPROCS before
}

// A writer is one of them.
type writer struct {
	crew    *crew
	number  int
	table   string
	conn    *pgx.Conn
	ledger  *checker.Ledger
	ids     *rand.Rand
	talk    string // its conversation
	seq     int64
	samples []sample
	dropped int // samples beyond the bound
	err     error
}

// start lets n writers loose. With a rate they keep to a schedule: the k-th
// insert of the crew is due k/rate seconds after its beginning, the writers
// take turns, and one that is late starts at once and is not forgiven.
func (b *bench) start(ctx context.Context, name string, n int, rate float64) (*crew, error) {
	c := &crew{rate: rate}
	for i := range n {
		w, err := b.hire(ctx, name, i)
		if err != nil {
			return nil, errors.Join(err, c.dismiss())
		}
		w.crew, w.samples = c, make([]sample, 0, 1024)
		c.writers = append(c.writers, w)
		c.ledgers = append(c.ledgers, b.ledger(name, i))
	}
	ctx, c.stop = context.WithCancel(ctx)
	// The pipeline is in this process. Were there as few processors as the
	// machine has, a writer whose answer is there would wait for the pipeline's
	// goroutines to give one up, tens of milliseconds that no client of the
	// server's waits; with one more for each writer the kernel shares them out.
	c.procs = runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(c.procs + n)
	c.began = time.Now()
	for _, w := range c.writers {
		c.waiting.Go(func() { w.err = w.work(ctx) })
	}
	return c, nil
}

// hire connects a writer and opens its ledger.
func (b *bench) hire(ctx context.Context, name string, i int) (*writer, error) {
	conn, err := b.server.Connect(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{number: i, conn: conn, table: tables(full)[0].name, ids: b.lab.Rand(fmt.Sprintf("writer/%s/%d", name, i))}
	w.talk = nextUUID(w.ids).String()
	if w.ledger, err = checker.OpenLedger(b.ledger(name, i)); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	if _, err := conn.Prepare(ctx, "write", statement("write", "parent", tables(full)[0].parent(), "tenant", tenant)); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing the writers' insert: %w", err), conn.Close(ctx), w.ledger.Close())
	}
	return w, nil
}

// ledger is the file of a writer.
func (b *bench) ledger(crew string, i int) string {
	return filepath.Join(b.folder, fmt.Sprintf("%s-%d.ledger", crew, i))
}

// work inserts until ctx ends. An insert that is under way is waited for: the
// server's answer decides what the ledger says.
func (w *writer) work(ctx context.Context) error {
	for k := 0; ; k++ {
		due, more := w.await(ctx, k)
		if !more {
			return nil
		}
		if err := w.insert(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		w.keep(sample{int64(due), int64(time.Since(w.crew.began))})
	}
}

// await waits until the writer's k-th insert is due, and says whether there is
// one. What was due when the crew was dismissed is still done: it is those that
// had to wait the longest.
func (w *writer) await(ctx context.Context, k int) (due time.Duration, more bool) {
	c := w.crew
	if c.rate == 0 {
		return time.Since(c.began), ctx.Err() == nil
	}
	due = time.Duration(float64(k*len(c.writers)+w.number) / c.rate * float64(time.Second))
	return due, sleep(ctx, due-time.Since(c.began)) || int64(due) <= c.ended.Load()
}

// insert writes one row, with the intent before and the acknowledgement after.
func (w *writer) insert(ctx context.Context) error {
	id := nextUUID(w.ids).String()
	w.seq++
	if err := w.ledger.Intent(w.table, id, time.Now()); err != nil {
		return err
	}
	if _, err := w.conn.Exec(ctx, "write", id, w.talk, w.seq); err != nil {
		return fmt.Errorf("inserting an activity: %w", err)
	}
	return w.ledger.Ack(w.table, id, time.Now())
}

func (w *writer) keep(s sample) {
	if len(w.samples)*len(w.crew.writers) >= maxSamples {
		w.dropped++
		return
	}
	w.samples = append(w.samples, s)
}

// sleep waits and says whether ctx lasted that long.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// dismiss stops the writers, waits for them and returns the first thing that
// went wrong for one of them.
func (c *crew) dismiss() error {
	if c.stop != nil {
		c.ended.Store(int64(time.Since(c.began)))
		c.stop()
	}
	c.waiting.Wait()
	if c.procs > 0 {
		runtime.GOMAXPROCS(c.procs)
	}
	var errs []error
	for _, w := range c.writers {
		errs = append(errs, w.err, w.ledger.Close(), w.conn.Close(context.Background()))
		w.err = nil
	}
	return errors.Join(errs...)
}

// samples returns those of all writers, in no order, and how many were not kept.
func (c *crew) samples() (all []sample, dropped int) {
	for _, w := range c.writers {
		all = append(all, w.samples...)
		dropped += w.dropped
	}
	return all, dropped
}

// String is the id as PostgreSQL prints it.
func (u uuid) String() string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// alone is how a crew without anybody beside it does: its inserts a second
// between two moments, in nanoseconds since it began.
func alone(all []sample, from, to int64) float64 {
	n := 0
	for _, s := range all {
		if s.done >= from && s.done < to {
			n++
		}
	}
	return float64(n) / (float64(to-from) / 1e9)
}
