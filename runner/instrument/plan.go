// Package instrument reads PostgreSQL: plans, sizes, index health, digests.
// Each function runs a documented query and returns base units.
package instrument

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A Node is one node of a plan as EXPLAIN (FORMAT JSON) prints it. Counts are
// float64 because EXPLAIN averages them over loops, and 18 prints fractions.
type Node struct {
	Type        string  `json:"Node Type"`
	Relation    string  `json:"Relation Name"`
	Index       string  `json:"Index Name"`
	Filter      string  `json:"Filter"`
	PlanRows    float64 `json:"Plan Rows"`   // estimated, a loop
	ActualRows  float64 `json:"Actual Rows"` // mean a loop
	Loops       float64 `json:"Actual Loops"`
	RowsRemoved float64 `json:"Rows Removed by Filter"` // mean a loop
	SharedHit   int64   `json:"Shared Hit Blocks"`      // pages, with those of the nodes below
	SharedRead  int64   `json:"Shared Read Blocks"`     // pages, with those of the nodes below
	WALRecords  int64   `json:"WAL Records"`            // with those of the nodes below; only ExplainWrite asks
	WALImages   int64   `json:"WAL FPI"`                // full-page images, likewise
	WALBytes    int64   `json:"WAL Bytes"`              // bytes, likewise
	Children    []Node  `json:"Plans"`
}

// An Explained is one executed and explained statement.
type Explained struct {
	SQL       string
	Text      string  // FORMAT TEXT, of an execution of its own
	Root      Node    // FORMAT JSON
	Execution float64 // s, of the execution that gave Root
	Triggers  []Trigger
}

// A Trigger is what EXPLAIN says of a trigger that fired, with those of foreign
// keys. What it did is in no other number of the plan: neither in its buffers
// nor in its WAL.
type Trigger struct {
	Name       string  `json:"Trigger Name"`
	Constraint string  `json:"Constraint Name"` // of a foreign key's
	Relation   string  `json:"Relation"`
	Calls      float64 `json:"Calls"`
	Time       float64 `json:"Time"` // ms; n/a, and 0 here, with TIMING OFF
}

// TriggerTime is the time of all triggers together, in seconds.
func (e Explained) TriggerTime() float64 {
	var ms float64
	for _, t := range e.Triggers {
		ms += t.Time
	}
	return ms / 1e3
}

// Explain executes the statement twice under EXPLAIN (ANALYZE, BUFFERS), once
// for the text and once for the numbers. It really executes it: a statement
// that writes must be explained on a copy.
func Explain(ctx context.Context, conn *pgx.Conn, sql string) (Explained, error) {
	e := Explained{SQL: sql}
	rows, err := conn.Query(ctx, "EXPLAIN (ANALYZE, BUFFERS) "+sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return e, fmt.Errorf("explaining %q: %w", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return e, fmt.Errorf("explaining %q: %w", sql, err)
	}
	e.Text = strings.Join(lines, "\n") + "\n"
	return e, e.again(ctx, conn)
}

// Estimate plans the statement without executing it; the result has no times
// and no text.
func Estimate(ctx context.Context, conn *pgx.Conn, sql string) (Explained, error) {
	e := Explained{SQL: sql}
	var text string
	if err := conn.QueryRow(ctx, "EXPLAIN (FORMAT JSON) "+sql, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
		return e, fmt.Errorf("planning %q: %w", sql, err)
	}
	return e, e.parse(text)
}

// ExplainWrite executes a statement that writes, once, with its WAL counted
// and without timing each node. WAL of foreign-key triggers is not in it.
func ExplainWrite(ctx context.Context, conn *pgx.Conn, sql string) (Explained, error) {
	e := Explained{SQL: sql}
	var text string
	err := conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF, FORMAT JSON) "+sql, pgx.QueryExecModeSimpleProtocol).Scan(&text)
	if err != nil {
		return e, fmt.Errorf("explaining %q: %w", sql, err)
	}
	return e, e.parse(text)
}

// ExplainDelete executes a statement that deletes, once, and returns everything
// that EXPLAIN counts and times in FORMAT JSON, the plan as text included.
func ExplainDelete(ctx context.Context, conn *pgx.Conn, sql string) (Explained, error) {
	e := Explained{SQL: sql}
	var text string
	err := conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON) "+sql, pgx.QueryExecModeSimpleProtocol).Scan(&text)
	if err != nil {
		return e, fmt.Errorf("explaining %q: %w", sql, err)
	}
	e.Text = text + "\n"
	return e, e.parse(text)
}

// Again executes the statement once more and returns the new numbers beside
// the old text.
func (e Explained) Again(ctx context.Context, conn *pgx.Conn) (Explained, error) {
	return e, e.again(ctx, conn)
}

func (e *Explained) again(ctx context.Context, conn *pgx.Conn) error {
	var text string
	err := conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+e.SQL, pgx.QueryExecModeSimpleProtocol).Scan(&text)
	if err != nil {
		return fmt.Errorf("explaining %q: %w", e.SQL, err)
	}
	return e.parse(text)
}

func (e *Explained) parse(text string) error {
	var parsed []struct {
		Plan      Node
		Execution float64 `json:"Execution Time"` // ms
		Triggers  []Trigger
	}
	if err := json.Unmarshal([]byte(text), &parsed); err != nil {
		return fmt.Errorf("reading the plan of %q: %w", e.SQL, err)
	}
	if len(parsed) != 1 {
		return fmt.Errorf("reading the plan of %q: %d plans", e.SQL, len(parsed))
	}
	e.Root, e.Execution, e.Triggers = parsed[0].Plan, parsed[0].Execution/1e3, parsed[0].Triggers
	return nil
}

// RowsRemoved returns the rows that filters removed in the whole plan.
func (e Explained) RowsRemoved() int64 {
	var sum float64
	e.Root.walk(func(n Node) { sum += n.RowsRemoved * n.Loops })
	return int64(sum + 0.5)
}

// Nodes returns the node types from the root down, joined by " > ".
func (e Explained) Nodes() string {
	var types []string
	e.Root.walk(func(n Node) { types = append(types, n.Type) })
	return strings.Join(types, " > ")
}

// Scan returns the lowest leftmost node: the one that reads the table.
func (e Explained) Scan() Node {
	n := e.Root
	for len(n.Children) > 0 {
		n = n.Children[0]
	}
	return n
}

// TopLine returns the first line of the text.
func (e Explained) TopLine() string {
	line, _, _ := strings.Cut(e.Text, "\n")
	return line
}

func (n Node) walk(visit func(Node)) {
	visit(n)
	for _, c := range n.Children {
		c.walk(visit)
	}
}
