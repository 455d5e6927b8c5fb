package archive

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Run archives and drops cfg.Tables.
//
// What holds at every moment: until the drop is committed the tables are the
// truth and the archive is a copy that may be thrown away; from then on the
// archive is the only copy, complete, verified and durable. What was done is
// read from the catalog and the folder, so that after any interruption the same
// Run goes on. The errors wrap ErrPreflight, ErrForeign, ErrLocked, ErrArchive
// or ErrChanged where they are of such a kind; the tables are still there
// whenever Run returns one, unless the answer to COMMIT was lost, which the
// next Run finds out.
func Run(ctx context.Context, cfg Config) (out Outcome, err error) {
	cfg, err = cfg.checked()
	if err != nil {
		return out, err
	}
	tables, err := cfg.relations()
	if err != nil {
		return out, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &run{cfg: cfg, tables: tables, stop: stop, disk: &Disk{skipFolders: cfg.mistake == noFolderSync}}
	if cfg.Fail != nil {
		r.disk.Fail = func(_ int, name string) error { return r.reach(name) }
	}
	defer func() { r.hangUp(err != nil) }()
	err = r.all(ctx)
	if r.dead != nil { // what came of it, such as a closed connection, is beside the point
		err = r.dead
	}
	return r.out, err
}

// A run is one call of Run.
type run struct {
	cfg      Config
	tables   []*relation
	disk     *Disk
	stop     context.CancelFunc
	control  *pgx.Conn
	marker   *marker   // of the folder
	manifest *Manifest // of the complete archive
	need     int64     // bytes that the archive may need
	out      Outcome

	mu    sync.Mutex // of conns
	conns []*pgx.Conn

	pointMu sync.Mutex
	points  int
	dead    error // of a failpoint: nothing may happen any more

	timedMu sync.Mutex
}

// all is the whole of it, in order.
func (r *run) all(ctx context.Context) (err error) {
	if r.control, err = r.connect(ctx); err != nil {
		return err
	}
	if err := r.alone(ctx); err != nil {
		return err
	}
	finished, err := r.begin(ctx)
	if err != nil || finished {
		return err
	}
	for _, step := range []func(context.Context) error{r.detach, r.archive, r.prove, r.drop} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step does one step between its two failpoints and tells how long it took.
func (r *run) step(name string, do func() error) error {
	if err := r.reach("before " + name); err != nil {
		return err
	}
	start := time.Now()
	err := do()
	r.timed(name, start, time.Now())
	if err != nil {
		return err
	}
	return r.reach("after " + name)
}

func (r *run) timed(name string, start, end time.Time) {
	if r.cfg.Timed == nil {
		return
	}
	r.timedMu.Lock()
	defer r.timedMu.Unlock()
	r.cfg.Timed(name, start, end)
}

// killed is the error of the failpoint that has failed, if any.
func (r *run) killed() error {
	r.pointMu.Lock()
	defer r.pointMu.Unlock()
	return r.dead
}

// reach passes a failpoint; once one has failed, all do.
func (r *run) reach(name string) error {
	if r.cfg.Fail == nil {
		return nil
	}
	r.pointMu.Lock()
	defer r.pointMu.Unlock()
	if r.dead != nil {
		return r.dead
	}
	r.points++
	if err := r.cfg.Fail(fmt.Sprintf("%04d %s", r.points, name)); err != nil {
		r.dead = fmt.Errorf("stopped at failpoint %04d %s: %w", r.points, name, err)
		r.stop()
	}
	return r.dead
}
