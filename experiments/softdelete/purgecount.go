package softdelete

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
)

// A counted is what EXPLAIN (ANALYZE, WAL, BUFFERS) says of a purge, all its
// statements together.
type counted struct {
	nodes   string // of the first statement, from the root down
	others  int    // statements with another plan than the first
	buffers int64  // shared, hit and read
	records int64  // WAL records
	bytes   int64  // of WAL, with full-page images
	images  int64  // full-page images
}

// A purgeNode is a node of the plan of a statement that writes.
type purgeNode struct {
	Type     string      `json:"Node Type"`
	Index    string      `json:"Index Name"`
	Hit      int64       `json:"Shared Hit Blocks"`
	Read     int64       `json:"Shared Read Blocks"`
	Records  int64       `json:"WAL Records"`
	Bytes    int64       `json:"WAL Bytes"`
	Images   int64       `json:"WAL FPI"`
	Children []purgeNode `json:"Plans"`
}

// nodes returns the node types from the root down, with the index that a scan
// uses.
func (n purgeNode) nodes() string {
	text := n.Type
	if n.Index != "" {
		text += " using " + n.Index
	}
	for _, c := range n.Children {
		text += " > " + c.nodes()
	}
	return text
}

// countPurge keeps the way's plan and executes its statements under EXPLAIN.
func (b *bench) countPurge(ctx context.Context, conn *pgx.Conn, w purgeWay, limit purgeLimit, p *purged) error {
	sql := limit.sql(w.file)
	text, err := plannedText(ctx, conn, sql)
	if err != nil {
		return err
	}
	b.out.Plan(runner.Plan{Name: "explain_" + w.file, Title: "purge " + w.name + ", planned and not executed", SQL: sql, Text: text})
	for range limit.statements(w) {
		if err := p.counted.add(ctx, conn, sql); err != nil {
			return err
		}
	}
	if p.counted.others > 0 {
		b.out.Warn("purge %s: %d of %d statements had another plan than the first", w.name, p.counted.others, limit.statements(w))
	}
	return nil
}

// plannedText is EXPLAIN without ANALYZE, which executes nothing.
func plannedText(ctx context.Context, conn *pgx.Conn, sql string) (string, error) {
	rows, err := conn.Query(ctx, "EXPLAIN "+sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", fmt.Errorf("planning %q: %w", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("planning %q: %w", sql, err)
	}
	return strings.Join(lines, "\n") + "\n", nil
}

func (c *counted) add(ctx context.Context, conn *pgx.Conn, sql string) error {
	var text string
	err := conn.QueryRow(ctx, "EXPLAIN (ANALYZE, WAL, BUFFERS, FORMAT JSON) "+sql, pgx.QueryExecModeSimpleProtocol).Scan(&text)
	if err != nil {
		return fmt.Errorf("explaining %q: %w", sql, err)
	}
	var plans []struct{ Plan purgeNode }
	if err := json.Unmarshal([]byte(text), &plans); err != nil {
		return fmt.Errorf("reading the plan of %q: %w", sql, err)
	}
	if len(plans) != 1 {
		return fmt.Errorf("reading the plan of %q: %d plans", sql, len(plans))
	}
	n := plans[0].Plan
	if c.nodes == "" {
		c.nodes = n.nodes()
	}
	if c.nodes != n.nodes() {
		c.others++
	}
	c.buffers += n.Hit + n.Read
	c.records, c.bytes, c.images = c.records+n.Records, c.bytes+n.Bytes, c.images+n.Images
	return nil
}
