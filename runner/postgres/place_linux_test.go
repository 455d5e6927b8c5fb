package postgres_test

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// The thread and the session are on one processor each, and on different ones;
// afterwards both have what they had.
func TestPlace(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, during, after, session unix.CPUSet
	allowed := func(pid int, set *unix.CPUSet) {
		if err := unix.SchedGetaffinity(pid, set); err != nil {
			t.Fatal(err)
		}
	}
	allowed(0, &before)
	if before.Count() < 2 {
		t.Skip("there is only one processor")
	}
	conn, err := testserver.Start(t, "17").Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	release, words := postgres.Place(conn)
	allowed(0, &during)
	allowed(int(conn.PgConn().PID()), &session)
	if err := release(); err != nil {
		t.Fatal(err)
	}
	allowed(0, &after)
	var freed unix.CPUSet
	allowed(int(conn.PgConn().PID()), &freed)
	if during.Count() != 1 || session.Count() != 1 || during == session {
		t.Errorf("%s: the thread has %d processors, the session %d, want different ones", words, during.Count(), session.Count())
	}
	if freed.Count() < 2 {
		t.Errorf("afterwards the session has %d processors, want those from before", freed.Count())
	}
	if after != before {
		t.Errorf("afterwards the thread has %d processors, want %d", after.Count(), before.Count())
	}
}
