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
	digests    map[string]*rowDigest // of the parts of each table, by its name
}

// A writtenPart is a part with what verifyPart needs of its table.
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
	v := &verifier{dir: r.cfg.Dir, queue: make(chan writtenPart, queued), done: make(chan struct{}), skip: r.cfg.mistake == dropEarly, digests: map[string]*rowDigest{}}
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
	sum, faults := verifyPart(v.dir, &w.table, w.part, &Manifest{Tables: []TableManifest{w.table}}, v.pass)
	v.digest(&w.table).merge(sum.digest)
	return faults
}

// digest is the digest of a table's parts so far.
func (v *verifier) digest(t *TableManifest) *rowDigest {
	name := (&relation{schema: t.Schema, name: t.Name}).ident()
	if v.digests[name] == nil {
		v.digests[name] = &rowDigest{}
	}
	return v.digests[name]
}

// finish waits until every part was read.
func (v *verifier) finish() {
	close(v.queue)
	<-v.done
}

// result returns the faults: also when the rows that the parts hold, read back,
// are not those that the server sent.
func (v *verifier) result(m *Manifest) []Fault {
	if len(v.faults) > 0 || v.skip {
		return v.faults
	}
	for i := range m.Tables {
		if what := v.digest(&m.Tables[i]).compare(&m.Tables[i]); what != "" {
			v.faults = append(v.faults, Fault{ManifestName, what})
		}
	}
	return v.faults
}
