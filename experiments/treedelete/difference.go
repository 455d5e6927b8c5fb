package treedelete

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// errSurvivors is in every error that tells of a wrong set of survivors.
var errSurvivors = errors.New("the survivors are not those that deleting the tree leaves")

// namedIDs is how many ids of each kind an error names.
const namedIDs = 5

// explainDifference says which ids are wrong. Another session still sees the
// whole forest, since nothing is committed.
func (s *session) explainDifference(ctx context.Context, t tree) error {
	config := s.conn.Config().Copy()
	whole, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("%w; looking for the ids: %w", errSurvivors, err)
	}
	defer whole.Close(ctx)
	var wrong []string
	for _, level := range []struct{ relation, owned string }{
		{"documents", "SELECT id FROM documents WHERE id = $1"},
		{"blocks", "SELECT id FROM blocks WHERE document_id = $1"},
		{"attributes", "SELECT attributes.id FROM attributes JOIN blocks ON block_id = blocks.id WHERE document_id = $1"},
	} {
		told, err := differences(ctx, s.conn, whole, level.relation, level.owned, t.document)
		if err != nil {
			return fmt.Errorf("%w; looking for the ids: %w", errSurvivors, err)
		}
		wrong = append(wrong, told...)
	}
	return fmt.Errorf("%w: %s", errSurvivors, strings.Join(wrong, "; "))
}

// differences compares what a relation lost with what the tree owns of it.
func differences(ctx context.Context, now, whole *pgx.Conn, relation, owned string, document int64) ([]string, error) {
	sets := make([][]int64, 3)
	for i, q := range []struct {
		conn *pgx.Conn
		sql  string
		args []any
	}{{whole, "SELECT id FROM " + relation, nil}, {now, "SELECT id FROM " + relation, nil}, {whole, owned, []any{document}}} {
		rows, err := q.conn.Query(ctx, q.sql, q.args...)
		if err != nil {
			return nil, err
		}
		if sets[i], err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			return nil, err
		}
	}
	var told []string
	if left := common(sets[1], sets[2]); len(left) > 0 {
		told = append(told, fmt.Sprintf("%d of %s should be gone (%s)", len(left), relation, list(left)))
	}
	if lost := without(without(sets[0], sets[1]), sets[2]); len(lost) > 0 {
		told = append(told, fmt.Sprintf("%d of %s should be left (%s)", len(lost), relation, list(lost)))
	}
	return told, nil
}

// without is the ids of a that are not in b, sorted.
func without(a, b []int64) []int64 {
	return filter(a, b, false)
}

// common is the ids that are in both, sorted.
func common(a, b []int64) []int64 {
	return filter(a, b, true)
}

func filter(a, b []int64, in bool) []int64 {
	known := map[int64]bool{}
	for _, id := range b {
		known[id] = true
	}
	var kept []int64
	for _, id := range a {
		if known[id] == in {
			kept = append(kept, id)
		}
	}
	slices.Sort(kept)
	return kept
}

// list names the first ids.
func list(ids []int64) string {
	var names []string
	for _, id := range ids[:min(len(ids), namedIDs)] {
		names = append(names, fmt.Sprint(id))
	}
	if len(ids) > namedIDs {
		names = append(names, "…")
	}
	return "id " + strings.Join(names, ", ")
}
