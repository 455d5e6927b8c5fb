package instrument

import (
	"context"
	"errors"
	"testing"
	"time"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

func TestAwaitReplay(t *testing.T) {
	host := testserver.Host(t, "17")
	primary, err := host.Start(t.Context(), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	standby, err := host.Standby(t.Context(), primary, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writer, reader := testserver.Connect(t, primary), testserver.Connect(t, standby)
	must(t, reader, "SELECT pg_wal_replay_pause()")
	must(t, writer, "CREATE TABLE seen AS SELECT generate_series(1, 1000) AS id")
	var lsn string
	if err := writer.QueryRow(t.Context(), "SELECT pg_current_wal_insert_lsn()::text").Scan(&lsn); err != nil {
		t.Fatal(err)
	}
	late := errors.New("too late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, late)
	defer cancel()
	if _, err := AwaitReplay(ctx, testserver.Connect(t, standby), lsn); !errors.Is(err, late) {
		t.Errorf("of a standby whose replay is paused: %v, want the cause of the end", err)
	}
	must(t, reader, "SELECT pg_wal_replay_resume()")
	took, err := AwaitReplay(t.Context(), reader, lsn)
	if err != nil || took <= 0 {
		t.Fatalf("%v, %v", took, err)
	}
	var rows int
	if err := reader.QueryRow(t.Context(), "SELECT count(*) FROM seen").Scan(&rows); err != nil || rows != 1000 {
		t.Errorf("%d rows, %v; want 1000", rows, err)
	}
	if _, err := AwaitReplay(t.Context(), writer, lsn); err == nil {
		t.Error("a primary replays")
	}
}

// A page has 8,192 bytes and a header of 24, the first page of a segment of 16 MiB one of 40 (bufpage and WAL layout in
// the documentation's "WAL Internals" and the server's sources).
func TestRecordEnd(t *testing.T) {
	for lsn, want := range map[string]string{
		"0/1800028":  "0/1800028",  // 40 bytes into a page that does not begin a segment
		"0/1800018":  "0/1800000",  // after the header of a page
		"0/1801FF8":  "0/1801FF8",  // within a page
		"3A/2000028": "3A/2000000", // after the header of a segment's first page
		"3A/2002018": "3A/2002000",
		"0/3000000":  "0/3000000",
	} {
		if got, err := recordEnd(lsn); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", lsn, got, err, want)
		}
	}
	for _, wrong := range []string{"", "1", "0/", "0/1 2", "0/1x", "0/100000000"} {
		if got, err := recordEnd(wrong); err == nil {
			t.Errorf("%q: %s, want an error", wrong, got)
		}
	}
}
