package bulkdelete

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

var deletesTable = runner.TableSpec{Name: "published_delete", Title: "The source's DELETE, as EXPLAIN counts it",
	Note: "Each execution was of a table of its own, the same page by page. Which pages were read and which were hit depends on what shared buffers held; their sum does not. Times are shown and not judged.",
	Columns: []runner.Column{{Name: "execution", Text: true}, {Name: "rows", Unit: "rows", Meaning: "that the scan below DELETE found"},
		{Name: "wal_records", Unit: "records"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "as EXPLAIN counts"}, {Name: "bytes_a_record", Unit: "bytes"}, {Name: "wal_images", Meaning: "full-page images"},
		{Name: "lsn_bytes", Unit: "bytes", Meaning: "between the insert positions before and after; not exact"},
		{Name: "pages_dirtied", Unit: "pages"}, {Name: "pages_hit", Unit: "buffers"}, {Name: "pages_read", Unit: "buffers"}, {Name: "buffers", Unit: "buffers", Meaning: "hit and read"},
		{Name: "pages_written", Unit: "pages", Meaning: "by the backend, to make room"}, {Name: "execution_s", Unit: "s"}}}

// A deleteNode is a node of the DELETE's plan in FORMAT JSON, with what EXPLAIN
// counts of it and of the nodes below.
type deleteNode struct {
	Rows    float64      `json:"Actual Rows"`
	Hit     int64        `json:"Shared Hit Blocks"`
	Read    int64        `json:"Shared Read Blocks"`
	Dirtied int64        `json:"Shared Dirtied Blocks"`
	Written int64        `json:"Shared Written Blocks"`
	Records int64        `json:"WAL Records"`
	Images  int64        `json:"WAL FPI"`
	Bytes   int64        `json:"WAL Bytes"`
	Below   []deleteNode `json:"Plans"`
}

const deleteSQL = "DELETE FROM t_large"

// deleteAll executes the source's DELETE under EXPLAIN, checks that it found
// every row and writes its counts down. It returns the row of the table.
func (s *sourceRun) deleteAll(ctx context.Context, conn *pgx.Conn, execution string) (int, error) {
	from, err := instrument.WALPosition(ctx, conn)
	if err != nil {
		return 0, err
	}
	stop := s.lab.Watch("DELETE of the source")
	root, seconds, err := explainDelete(ctx, conn)
	if stop(); err != nil {
		return 0, err
	}
	to, err := instrument.WALPosition(ctx, conn)
	if err != nil {
		return 0, err
	}
	if len(root.Below) != 1 || int(root.Below[0].Rows) != s.lab.Knob("rows") {
		return 0, fmt.Errorf("%s: the DELETE found %+v, expected %d rows", execution, root.Below, s.lab.Knob("rows"))
	}
	row := s.deletes.Add(execution, int64(root.Below[0].Rows), root.Records, root.Bytes, float64(root.Bytes)/float64(root.Records), root.Images, to-from, root.Dirtied, root.Hit, root.Read, root.Hit+root.Read, root.Written, seconds)
	s.deleteRows = append(s.deleteRows, row)
	return row, nil
}

// explainDelete executes it and reads what EXPLAIN counted.
func explainDelete(ctx context.Context, conn *pgx.Conn) (root deleteNode, seconds float64, err error) {
	var text string
	if err := conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, WAL, COSTS OFF, FORMAT JSON) "+deleteSQL, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
		return root, 0, fmt.Errorf("explaining the DELETE: %w", err)
	}
	var plans []struct {
		Plan      deleteNode
		Execution float64 `json:"Execution Time"` // ms
	}
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) != 1 {
		return root, 0, fmt.Errorf("reading the plan of the DELETE: %d plans: %w", len(plans), err)
	}
	return plans[0].Plan, math.Round(plans[0].Execution*1e3) / 1e6, nil // printed to the microsecond
}

// scanLine is where EXPLAIN's text says how many rows the scan found, which 18
// writes with decimals.
var scanLine = regexp.MustCompile(`Seq Scan on t_large .*\brows=(\d+)(?:\.0+)? `)

// explainText executes it, checks that it found every row and keeps the plan
// as the source printed it.
func (s *sourceRun) explainText(ctx context.Context, conn *pgx.Conn, trial string) error {
	sql := "EXPLAIN (ANALYZE, BUFFERS, WAL, COSTS OFF) " + deleteSQL
	rows, err := conn.Query(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return fmt.Errorf("explaining the DELETE: %w", err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("explaining the DELETE: %w", err)
	}
	text := strings.Join(lines, "\n") + "\n"
	if found := scanLine.FindStringSubmatch(text); found == nil || found[1] != strconv.Itoa(s.lab.Knob("rows")) {
		return fmt.Errorf("%s: the DELETE's plan is %q, expected a scan that found %d rows", trial, text, s.lab.Knob("rows"))
	}
	s.out.Plan(runner.Plan{Name: "explain_delete", Title: "The source's DELETE, before the trial " + trial, SQL: sql, Text: text})
	return nil
}

// exact points at an exact count, at each of its values when executions
// differ, which is warned of.
func (s *sourceRun) exact(column string) []runner.Ref {
	var refs []runner.Ref
	seen := map[string]bool{}
	for _, row := range s.deleteRows {
		if text := s.deletes.Text(row, column); !seen[text] {
			seen[text] = true
			refs = append(refs, s.deletes.Ref(row, column).Named(s.deletes.Text(row, "execution")))
		}
	}
	if len(refs) == 1 {
		return []runner.Ref{refs[0].Named("")}
	}
	s.out.Warn("published_delete.csv: %s differs between executions of the same DELETE", column)
	return refs
}

// deleteFindings are the claims on the DELETE itself, once it was repeated.
func (s *sourceRun) deleteFindings() {
	at := func(column string) runner.Ref { return s.deletes.Ref(s.deleteRows[0], column) }
	again := fmt.Sprintf("; executions on tables of their own: %d", len(s.deleteRows))
	s.out.Measured("s3.wal_records", runner.Say("records for {} deleted, and {} full-page images, with full_page_writes off"+again, at("rows"), at("wal_images")), s.exact("wal_records")...)
	s.out.Measured("s3.wal_bytes", runner.Say("{} a record. The insert position moved by {}, which adds alignment and page headers"+again, at("bytes_a_record"), at("lsn_bytes")), s.exact("wal_bytes")...)
	s.out.Measured("s3.pages_dirtied", runner.Say("every page of the heap, and every page of the visibility map, whose bits the DELETE clears"+again), s.exact("pages_dirtied")...)
	s.out.Measured("s3.buffers_total", runner.Say("one access a page by the scan, one a row to delete it, and one for each page that was all-visible to its bits of the visibility map, which is every page"+again), s.exact("buffers")...)
	var others []runner.Ref
	text := "this machine's time, and under EXPLAIN, which times every row of the scan: {} deleted with {} touched, of which {} were read into shared buffers and {} written out to make room, and {} of WAL"
	for _, row := range s.deleteRows[1:] {
		others = append(others, s.deletes.Ref(row, "execution_s"))
	}
	if len(others) > 0 {
		text += ". The same DELETE of copies took " + strings.TrimSuffix(strings.Repeat("{}, ", len(others)), ", ")
	}
	s.out.Measured("s3.exec_time", runner.Say(text, append([]runner.Ref{at("rows"), at("buffers"), at("pages_read"), at("pages_written"), at("wal_bytes")}, others...)...), at("execution_s"))
}
