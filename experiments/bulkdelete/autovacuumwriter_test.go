package bulkdelete

import (
	"context"
	"testing"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// Seven rows fill a page: 7,000 are 1,000 pages, and after the load's CHECKPOINT
// one of the two has written each. With the background writer off it writes none.
func TestReadWrites(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			ctx := t.Context()
			server, err := testserver.Host(t, version).Start(ctx, postgres.Options{Settings: settings(nil)})
			if err != nil {
				t.Fatal(err)
			}
			s := &sourceRun{server: server}
			if s.admin, err = server.Connect(ctx); err != nil {
				t.Fatal(err)
			}
			defer s.admin.Close(context.Background())
			one := &trial{sourceRun: s}
			undo, err := stopWriter(ctx, one)
			if err != nil {
				t.Fatal(err)
			}
			before, err := s.readWrites(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := load(ctx, s.admin, sourceTable, 7000, sourcePayload); err != nil {
				t.Fatal(err)
			}
			if err := one.wrote(ctx, before); err != nil {
				t.Fatal(err)
			}
			if one.writes.writer != 0 || one.writes.checkpointer < 1000 {
				t.Errorf("%+v, want none by the background writer and 1,000 or more by the checkpointer", one.writes)
			}
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			var pages string
			if err := s.admin.QueryRow(ctx, "SHOW bgwriter_lru_maxpages").Scan(&pages); err != nil || pages != "100" {
				t.Errorf("bgwriter_lru_maxpages is %q afterwards, %v; want the default, 100", pages, err)
			}
		})
	}
}
