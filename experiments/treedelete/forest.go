package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A tree is a document with its blocks and one attribute a block.
type tree struct {
	document int64 // its id
	blocks   int
}

// rows is how many rows the tree has, which is also how many statements delete
// it row by row.
func (t tree) rows() int64 { return 2*int64(t.blocks) + 1 }

// A layout is the physical order of the rows of blocks and attributes.
type layout string

const (
	scattered layout = "scattered" // rows of a tree lie all over the table
	clustered layout = "clustered" // rows of a tree lie side by side
)

// A forest is a schema with trees in it and other documents around them. All are
// in one database, since making a database takes as long as loading one.
type forest struct {
	schema  string // public when empty
	blocks  []int  // of each tree; document 1 is the first
	others  int    // documents with one block and one attribute each
	layout  layout
	cascade bool // the foreign keys are ON DELETE CASCADE
}

// tree returns the first tree of so many blocks.
func (f forest) tree(blocks int) tree {
	for i, n := range f.blocks {
		if n == blocks {
			return tree{int64(i + 1), n}
		}
	}
	return tree{} // deletes nothing, which fails the run
}

// plant makes the forest's schema: loaded, indexed, vacuumed, analyzed. The same
// seed gives the same pages.
func (b *bench) plant(ctx context.Context, f forest) error {
	step := b.lab.Setup("load " + f.schema)
	defer step.Done()
	conn, err := b.newSchema(ctx, f.schema)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	action := "ON DELETE NO ACTION"
	if f.cascade {
		action = "ON DELETE CASCADE"
	}
	for _, sql := range []string{
		statement("schema"),
		statement("load", ":blocks", f.array(), ":others", strconv.Itoa(f.others), ":order", f.order(b.lab.Seed)),
		statement("keys", ":action", action),
		"VACUUM (ANALYZE) documents", "VACUUM (ANALYZE) blocks", "VACUUM (ANALYZE) attributes",
	} {
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("loading schema %q: %w", f.schema, err)
		}
	}
	return nil
}

// order is the expression that decides the physical order of a table with an id.
func (f forest) order(seed uint64) string {
	if f.layout == clustered {
		return "id"
	}
	return fmt.Sprintf("md5(id || ' %d'), id", seed)
}

// array is the sizes of the trees in SQL.
func (f forest) array() string {
	sizes := make([]string, len(f.blocks))
	for i, n := range f.blocks {
		sizes[i] = strconv.Itoa(n)
	}
	return "'{" + strings.Join(sizes, ",") + "}'::int[]"
}

// connect opens a session without an added round trip, whose names are those of
// a schema.
func (b *bench) connect(ctx context.Context, schema string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, b.inSchema(schema))
	if err != nil {
		return nil, fmt.Errorf("connecting to schema %q: %w", schema, err)
	}
	return conn, nil
}

// inSchema is how to connect so that names are those of a schema; a copy of it
// says the same.
func (b *bench) inSchema(schema string) *pgx.ConnConfig {
	config := b.server.ConnConfig()
	if schema != "" {
		config.RuntimeParams["search_path"] = schema + ", public"
	}
	return config
}

// newSchema makes a schema and opens a session in it.
func (b *bench) newSchema(ctx context.Context, schema string) (*pgx.Conn, error) {
	conn, err := b.connect(ctx, schema)
	if err != nil {
		return nil, err
	}
	for _, sql := range []string{"CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public", "CREATE SCHEMA " + schema} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			conn.Close(ctx)
			return nil, fmt.Errorf("executing %q: %w", sql, err)
		}
	}
	return conn, nil
}
