package bulkdelete

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

var citedTable = runner.TableSpec{Name: "published_redrock", Title: "The source's other engine, cited",
	Note:    "Redrock Postgres keeps old row versions in undo segments. There are no binaries of it to be had, so its figures are the source's, not measured; both columns of the source are of another machine. Beside them the server of this run.",
	Columns: []runner.Column{{Name: "quantity", Text: true}, {Name: "unit", Text: true}, {Name: "redrock_published", Meaning: "cited"}, {Name: "postgresql_published", Meaning: "of the source's stock server"}, {Name: "here", Meaning: "of this run"}}}

// An undoSize is what a server has of relations of kind u.
type undoSize struct{ relations, bytes int64 }

func readUndo(ctx context.Context, conn *pgx.Conn) (u undoSize, err error) {
	err = conn.QueryRow(ctx, "SELECT count(*), coalesce(sum(pg_relation_size(oid)), 0)::bigint FROM pg_class WHERE relkind = 'u'").Scan(&u.relations, &u.bytes)
	if err != nil {
		err = fmt.Errorf("looking for undo segments: %w", err)
	}
	return u, err
}

// undo reads what the DELETE added to undo segments, where there are any.
func (s *sourceRun) undo(ctx context.Context, conn *pgx.Conn, before undoSize) error {
	after, err := readUndo(ctx, conn)
	if err != nil {
		return err
	}
	if after.relations == 0 {
		none := "no relation of kind u on this server: PostgreSQL keeps old rows in the table"
		s.cited.Add("undo generated", "bytes", 56<<20, runner.NA{Reason: "a stock server has no undo segments"}, runner.NA{Reason: none})
		s.out.NotMeasured("s3.redrock_undo", none+"; the published figure is cited in published_redrock.csv")
		return nil
	}
	row := s.cited.Add("undo generated", "bytes", 56<<20, runner.NA{Reason: "a stock server has no undo segments"}, after.bytes-before.bytes)
	s.out.Measured("s3.redrock_undo", runner.Say("the growth of relations of kind u during the DELETE"), s.cited.Ref(row, "here"))
	return nil
}

// cite sets the published figures of the DELETE beside ours.
func (s *sourceRun) cite(deleted int) {
	here := func(column string) string { return s.deletes.Text(deleted, column) }
	s.cited.Add("execution time of the DELETE", "s", 1.369009, 1.157416, here("execution_s"))
	s.cited.Add("WAL records of the DELETE", "records", 1_007_204, 1_000_000, here("wal_records"))
	s.cited.Add("WAL bytes of the DELETE", "bytes", 125_592_003, 54_000_000, here("wal_bytes"))
	s.cited.Add("pages dirtied by the DELETE", "pages", 150_071, 142_863, here("pages_dirtied"))
	for _, claim := range []string{"s3.redrock_time", "s3.redrock_wal", "s3.redrock_pages", "s3.redrock_size_after"} {
		s.out.NotMeasured(claim, "cited: there are no binaries of Redrock Postgres to be had; beside this server's figure in published_redrock.csv")
	}
}

// citeSizeAfter sets the published size after autovacuum beside ours, the
// median of the undisturbed trials; when there is none, with the reason.
func (s *sourceRun) citeSizeAfter() {
	var here any = runner.NA{Reason: s.neverCame()}
	if row, ok := s.summary.Find(map[string]string{"arm": undisturbed}); ok && s.summary.Text(row, "trials") != "0" {
		here = s.summary.Text(row, "median_bytes")
	}
	s.cited.Add("size after autovacuum", "bytes", 24<<10, 827<<20, here)
}
