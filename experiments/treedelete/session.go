package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/roundtrip"
)

// A session is one connection to a forest, whose packets go over a network.
type session struct {
	conn    *pgx.Conn
	network *roundtrip.Network
	forest  forest
	known   map[tree][3][]int64 // ids, see ids
	// advance is told of statements that are done, in a deletion that takes minutes;
	// else nil.
	advance func(n int)
	ended   func() error // whether the run was interrupted, asked within long deletions
}

// The modes of planning a prepared statement.
const (
	generic = "force_generic_plan"
	custom  = "force_custom_plan"
)

// enter opens a session with a plan_cache_mode.
func (b *bench) enter(ctx context.Context, f forest, mode string) (*session, error) {
	config := b.inSchema(f.schema)
	config.DialFunc = b.network.DialFunc(config.DialFunc)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to schema %q: %w", f.schema, err)
	}
	b.sessions = append(b.sessions, conn)
	s := &session{conn: conn, network: b.network, forest: f}
	if _, err := s.simple(ctx, "SET plan_cache_mode = "+mode); err != nil {
		conn.Close(ctx)
		return nil, err
	}
	return s, nil
}

// prepare prepares a statement of fixtures under its own name, once a session.
func (s *session) prepare(ctx context.Context, file string) error {
	if _, err := s.conn.Prepare(ctx, file, statement(file)); err != nil {
		return fmt.Errorf("preparing %q: %w", file, err)
	}
	return nil
}

func (s *session) close(ctx context.Context) { s.conn.Close(ctx) }

// simple executes a statement by the simple protocol and returns its rows.
func (s *session) simple(ctx context.Context, sql string) (int64, error) {
	results, err := s.conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		return 0, fmt.Errorf("executing %q: %w", gist(sql), err)
	}
	var rows int64
	for _, r := range results {
		rows += r.CommandTag.RowsAffected()
	}
	return rows, nil
}

// gist is the beginning of a statement.
func gist(sql string) string {
	line, _, more := strings.Cut(sql, "\n")
	if more {
		line += " …"
	}
	return line
}

// ids returns the ids of a tree, level by level from the leaves up. They are
// read once, while the tree is whole.
func (s *session) ids(ctx context.Context, t tree) ([3][]int64, error) {
	if known, ok := s.known[t]; ok {
		return known, nil
	}
	var ids [3][]int64
	for level, sql := range []string{
		"SELECT attributes.id FROM attributes JOIN blocks ON attributes.block_id = blocks.id WHERE document_id = $1 ORDER BY attributes.id",
		"SELECT id FROM blocks WHERE document_id = $1 ORDER BY id",
		"SELECT id FROM documents WHERE id = $1",
	} {
		rows, err := s.conn.Query(ctx, sql, t.document)
		if err != nil {
			return ids, fmt.Errorf("reading the ids of document %d: %w", t.document, err)
		}
		if ids[level], err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			return ids, fmt.Errorf("reading the ids of document %d: %w", t.document, err)
		}
	}
	if n := int64(len(ids[0]) + len(ids[1]) + len(ids[2])); n != t.rows() {
		return ids, fmt.Errorf("reading the ids of document %d: %d rows, and its tree has %d", t.document, n, t.rows())
	}
	if s.known == nil {
		s.known = map[tree][3][]int64{}
	}
	s.known[t] = ids
	return ids, nil
}

// gone counts the rows that the session has deleted in each table, rolled back
// or not, since its statistics were last flushed, which happens between
// transactions only: within one, differences count.
func (s *session) gone(ctx context.Context) (rows [3]int64, err error) {
	err = s.conn.QueryRow(ctx, `SELECT pg_stat_get_xact_tuples_deleted('attributes'::regclass), pg_stat_get_xact_tuples_deleted('blocks'::regclass), pg_stat_get_xact_tuples_deleted('documents'::regclass)`).
		Scan(&rows[0], &rows[1], &rows[2])
	if err != nil {
		return rows, fmt.Errorf("reading how many rows were deleted: %w", err)
	}
	return rows, nil
}

// left counts the tree's own rows that the session still sees.
func (s *session) left(ctx context.Context, t tree) (rows int64, err error) {
	ids, known := s.known[t]
	if !known {
		return 0, fmt.Errorf("looking for what is left of document %d: its ids were not read while it was whole", t.document)
	}
	err = s.conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM attributes WHERE id = ANY($1)) + (SELECT count(*) FROM blocks WHERE id = ANY($2)) + (SELECT count(*) FROM documents WHERE id = ANY($3))`,
		ids[0], ids[1], ids[2]).Scan(&rows)
	if err != nil {
		return 0, fmt.Errorf("looking for what is left of the tree: %w", err)
	}
	return rows, nil
}

// survivors is the digest of the ids of all rows, as the session sees them.
func (s *session) survivors(ctx context.Context) (string, error) {
	var digest string
	if err := s.conn.QueryRow(ctx, statement("survivors")).Scan(&digest); err != nil {
		return "", fmt.Errorf("taking the digest of what is left: %w", err)
	}
	return digest, nil
}

// expected is the digest that deleting a tree must leave, taken of the whole
// forest.
func (s *session) expected(ctx context.Context, t tree) (string, error) {
	var digest string
	if err := s.conn.QueryRow(ctx, statement("survivors_expected"), t.document).Scan(&digest); err != nil {
		return "", fmt.Errorf("taking the digest of what is to be left: %w", err)
	}
	return digest, nil
}

// statementWith is a statement with a number in place of its parameter.
func statementWith(file string, id int64) string {
	return strings.ReplaceAll(statement(file), "$1", strconv.FormatInt(id, 10))
}

// arrayOf is ids as the text of an array.
func arrayOf(ids []int64) []byte {
	text := []byte{'{'}
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return append(text, '}')
}
