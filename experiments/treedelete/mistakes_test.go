package treedelete

import (
	"context"
	"errors"
	"strings"
	"testing"

	"deletecost/runner"
)

// mistakesForest has two trees of three blocks, ids 1 to 3 and 4 to 6, and two
// other documents.
var mistakesForest = forest{schema: "mistakes", blocks: []int{3, 3}, others: 2, layout: clustered}

// trying runs what a test tries on a forest of its own.
func trying(t *testing.T, try func(context.Context, *bench, *session) error) error {
	t.Helper()
	_, _, err := onBench(t, "17", runner.Values{}, true, func(ctx context.Context, b *bench) error {
		if err := b.plant(ctx, mistakesForest); err != nil {
			return err
		}
		s, err := b.enter(ctx, mistakesForest, "auto")
		if err != nil {
			return err
		}
		defer s.close(ctx)
		return try(ctx, b, s)
	})
	return err
}

// deleting is a deletion by one text.
func deleting(s *session, sql string) deletion {
	return deletion{do: func(ctx context.Context) (int64, error) { return s.simple(ctx, sql) }}
}

const (
	wholeTree = "DELETE FROM attributes WHERE block_id IN (SELECT id FROM blocks WHERE document_id = 1); DELETE FROM blocks WHERE document_id = 1; DELETE FROM documents WHERE id = 1"
	otherTree = "DELETE FROM attributes WHERE block_id IN (SELECT id FROM blocks WHERE document_id = 2); DELETE FROM blocks WHERE document_id = 2; DELETE FROM documents WHERE id = 2"
)

// Everything that a deletion can get wrong ends the run and names the ids.
func TestWrongSurvivors(t *testing.T) {
	for _, test := range []struct {
		name, sql string
		want      []string
	}{
		{"the tree", wholeTree, nil},
		{"nothing to delete", "DELETE FROM documents WHERE id = -1", []string{"1 of documents should be gone (id 1)", "3 of blocks should be gone (id 1, 2, 3)", "3 of attributes should be gone (id 1, 2, 3)"}},
		{"one attribute too many", wholeTree + "; DELETE FROM attributes WHERE id = 7", []string{"1 of attributes should be left (id 7)"}},
		{"as many rows of another tree", otherTree, []string{"1 of documents should be gone (id 1)", "1 of documents should be left (id 2)", "3 of attributes should be left (id 4, 5, 6)"}},
		{"one attribute too few", "DELETE FROM attributes WHERE id IN (1, 2)", []string{"1 of attributes should be gone (id 3)"}},
		{"as many rows, of them one exchanged", "DELETE FROM attributes WHERE id IN (1, 2, 3, 7); DELETE FROM blocks WHERE id IN (1, 2, 7)", []string{"1 of blocks should be gone (id 3)", "1 of blocks should be left (id 7)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, quick := range []bool{false, true} {
				err := trying(t, func(ctx context.Context, b *bench, s *session) error {
					want, err := s.expected(ctx, tree{1, 3})
					if err != nil {
						return err
					}
					if _, err := s.ids(ctx, tree{1, 3}); err != nil {
						return err
					}
					if quick {
						want = byCount
					}
					_, err = s.try(ctx, deleting(s, test.sql), tree{1, 3}, want, 0, false)
					return err
				})
				if test.want == nil {
					if err != nil {
						t.Fatalf("deleting the tree itself: %v", err)
					}
					continue
				}
				if !errors.Is(err, errSurvivors) {
					t.Fatalf("got %v, want the error of wrong survivors", err)
				}
				for _, words := range test.want {
					if !strings.Contains(err.Error(), words) {
						t.Errorf("%q does not say %q", err, words)
					}
				}
			}
		})
	}
}

// The source's second mistake: a warm-up in the same transaction leaves the
// timed pass nothing to delete.
func TestWarmUpInTheSameTransaction(t *testing.T) {
	err := trying(t, func(ctx context.Context, b *bench, s *session) error {
		e, err := b.open(ctx, "warmed up", wayNamed(setBased), s, tree{1, 3}, 0)
		if err != nil {
			return err
		}
		twice := e.deletion
		twice.do = func(ctx context.Context) (int64, error) {
			if _, err := e.do(ctx); err != nil { // the warm-up
				return 0, err
			}
			return e.do(ctx)
		}
		_, err = s.try(ctx, twice, e.tree, e.want, 0, false)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "counts 7") {
		t.Errorf("got %v, want the error of a pass with nothing to delete: the answer says 0 rows, and the warm-up deleted 7", err)
	}
}

// The source's first mistake: each of the three statements in a transaction of
// its own meets the foreign key.
func TestStatementsApart(t *testing.T) {
	err := trying(t, func(ctx context.Context, b *bench, s *session) error {
		want, err := s.expected(ctx, tree{1, 3})
		if err != nil {
			return err
		}
		for _, sql := range strings.Split(wholeTree, "; ") {
			if _, err := s.try(ctx, deleting(s, sql), tree{1, 3}, want, 0, false); err != nil && !errors.Is(err, errSurvivors) {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "attributes_block_id_fkey") {
		t.Errorf("got %v, want the foreign key's refusal", err)
	}
}

// After a roll back everything is there again, so a digest that is taken then
// tells nothing; inside it tells.
func TestDigestIsTakenInside(t *testing.T) {
	err := trying(t, func(ctx context.Context, b *bench, s *session) error {
		before, err := s.survivors(ctx)
		if err != nil {
			return err
		}
		e, err := b.open(ctx, "set-based", wayNamed(setBased), s, tree{1, 3}, 0)
		if err != nil {
			return err
		}
		if _, err := s.try(ctx, e.deletion, e.tree, e.want, 0, false); err != nil {
			return err
		}
		after, err := s.survivors(ctx)
		if err == nil && (after != before || e.want == before) {
			t.Errorf("before %q, after the roll back %q, expected inside %q", before, after, e.want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
