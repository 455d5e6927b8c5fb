package instrument

import (
	"fmt"
	"testing"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

func TestWALPosition(t *testing.T) {
	s, err := testserver.Host(t, "17").Start(t.Context(), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn := testserver.Connect(t, s)
	read := func() int64 {
		t.Helper()
		at, err := WALPosition(t.Context(), conn)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	first := read()
	var lsn string
	if err := conn.QueryRow(t.Context(), "SELECT pg_current_wal_insert_lsn()::text").Scan(&lsn); err != nil {
		t.Fatal(err)
	}
	// An LSN is printed as the upper and the lower half of its 64 bits.
	var high, low int64
	if _, err := fmt.Sscanf(lsn, "%X/%X", &high, &low); err != nil {
		t.Fatal(err)
	}
	second := read()
	if at := high<<32 | low; at < first || at > second {
		t.Errorf("%s is byte %d, want one from %d to %d", lsn, at, first, second)
	}
	must(t, conn, "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1048576))")
	if moved := read() - second; moved < 1<<20 || moved > 2<<20 {
		t.Errorf("a message of 1 MiB moved it by %d bytes", moved)
	}
}
