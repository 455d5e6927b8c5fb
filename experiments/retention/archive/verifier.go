package archive

import (
	"context"
	"time"
)

// A verifier reads parts back as they are finished, beside the export.
type verifier struct {
	dir   string
	queue chan writtenPart
	done  chan struct{}
	skip  bool                  // a mistake that tests seed
	pass  func(row int64) error // of the pace

	start, end time.Time // of the first and the last part
	parts      int
	faults     []Fault
}

// A writtenPart is a part with what VerifyPart needs of its table.
type writtenPart struct {
	table TableManifest
	part  Part
}

// readingBack is how many times the rows of an export a paced verifier reads: a
// row takes it less than half of the work.
const readingBack = 2

// queued is how many parts may wait; then the export does.
const queued = 64

func (r *run) startVerifier(ctx context.Context) *verifier {
	v := &verifier{dir: r.cfg.Dir, queue: make(chan writtenPart, queued), done: make(chan struct{}), skip: r.cfg.mistake == dropEarly}
	paced := newPace(readingBack * r.cfg.RowsPerSecond)
	v.pass = func(row int64) error { return paced.pass(ctx, row) }
	go v.read()
	return v
}

func (v *verifier) read() {
	defer close(v.done)
	for w := range v.queue {
		if v.skip {
			continue
		}
		if v.parts == 0 {
			v.start = time.Now()
		}
		v.faults = append(v.faults, v.verify(w)...)
		v.parts++
		v.end = time.Now()
	}
}

// verify reads one part.
func (v *verifier) verify(w writtenPart) []Fault {
	_, faults := verifyPart(v.dir, &w.table, w.part, &Manifest{Tables: []TableManifest{w.table}}, v.pass)
	return faults
}

// finish returns the faults once every part was read.
func (v *verifier) finish() []Fault {
	close(v.queue)
	<-v.done
	return v.faults
}
