package archive

import "time"

// A verifier reads parts back as they are finished, beside the export.
type verifier struct {
	dir   string
	queue chan writtenPart
	done  chan struct{}
	skip  bool // a mistake that tests seed

	start, end time.Time // of the first and the last part
	parts      int
	faults     []Fault
}

// A writtenPart is a part with what VerifyPart needs of its table.
type writtenPart struct {
	table TableManifest
	part  Part
}

// queued is how many parts may wait; then the export does.
const queued = 64

func (r *run) startVerifier() *verifier {
	v := &verifier{dir: r.cfg.Dir, queue: make(chan writtenPart, queued), done: make(chan struct{}), skip: r.cfg.mistake == dropEarly}
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
		v.faults = append(v.faults, VerifyPart(v.dir, &w.table, w.part)...)
		v.parts++
		v.end = time.Now()
	}
}

// finish returns the faults once every part was read.
func (v *verifier) finish() []Fault {
	close(v.queue)
	<-v.done
	return v.faults
}
