package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"
)

// Place binds the calling thread, which is to be locked to its goroutine, to one processor and the server processes of
// sessions to another. Left alone the kernel puts some sessions beside their client and others across from it, and a
// short query takes up to three times as long there: arms on different sessions could not be compared. Sessions that are
// closed are passed over. The words say who is where, or why nobody was bound; release, called on the same thread, gives all
// their processors back.
func Place(sessions ...*pgx.Conn) (release func() error, words string) {
	none := func() error { return nil }
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return none, fmt.Sprintf("nobody is bound to processors: %v", err)
	}
	first, second, ok := twoOf(&allowed)
	if !ok {
		return none, "nobody is bound to processors: there is only one"
	}
	bound := map[int]unix.CPUSet{0: allowed} // by process; 0 is the calling thread
	release = func() (err error) {
		for pid, set := range bound {
			if failed := unix.SchedSetaffinity(pid, &set); !errors.Is(failed, unix.ESRCH) { // a session may have ended
				err = errors.Join(err, failed)
			}
		}
		return err
	}
	err := bind(0, first)
	for _, s := range sessions {
		if s.IsClosed() {
			continue
		}
		pid := int(s.PgConn().PID())
		var had unix.CPUSet
		if failed := unix.SchedGetaffinity(pid, &had); failed != nil {
			err = errors.Join(err, fmt.Errorf("reading the processors of process %d: %w", pid, failed))
			continue
		}
		bound[pid] = had
		err = errors.Join(err, bind(pid, second))
	}
	if err != nil {
		return none, fmt.Sprintf("nobody is bound to processors: %v", errors.Join(err, release()))
	}
	return release, fmt.Sprintf("the client is bound to processor %d, its server processes to processor %d", first, second)
}

// twoOf returns the first two processors of a set.
func twoOf(set *unix.CPUSet) (first, second int, ok bool) {
	if set.Count() < 2 {
		return 0, 0, false
	}
	for !set.IsSet(first) {
		first++
	}
	for second = first + 1; !set.IsSet(second); {
		second++
	}
	return first, second, true
}

// bind binds a process, or with 0 the calling thread, to one processor.
func bind(pid, processor int) error {
	var only unix.CPUSet
	only.Set(processor)
	if err := unix.SchedSetaffinity(pid, &only); err != nil {
		return fmt.Errorf("binding process %d to processor %d: %w", pid, processor, err)
	}
	return nil
}
