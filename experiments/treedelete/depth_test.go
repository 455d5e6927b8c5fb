package treedelete

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/testrun"
)

// TestLevelSizes: by hand. 240 rows divide evenly by 1 to 5.
func TestLevelSizes(t *testing.T) {
	for _, c := range []struct {
		rows, depth int
		want        []int
	}{
		{241, 2, []int{1, 240}}, {241, 3, []int{1, 120, 120}}, {241, 4, []int{1, 80, 80, 80}}, {241, 5, []int{1, 60, 60, 60, 60}}, {241, 6, []int{1, 48, 48, 48, 48, 48}},
		{12, 4, []int{1, 3, 4, 4}}, {6, 6, []int{1, 1, 1, 1, 1, 1}},
	} {
		if got := levelSizes(c.rows, c.depth); !slices.Equal(got, c.want) {
			t.Errorf("%d rows on %d levels: %v, want %v", c.rows, c.depth, got, c.want)
		}
	}
	for rows := 6; rows < 300; rows++ {
		for depth := 2; depth <= 6; depth++ {
			c := newChain(rows, depth, false)
			if c.rows() != int64(rows) || !slices.IsSorted(c.sizes) || c.sizes[0] != 1 {
				t.Fatalf("%d rows on %d levels: %v", rows, depth, c.sizes)
			}
		}
	}
}

// TestChainStatements: the set-based statement of level 4 joins two levels.
func TestChainStatements(t *testing.T) {
	c := newChain(13, 4, false)
	want := "DELETE FROM levels_4.level_4 USING levels_4.level_3, levels_4.level_2 WHERE level_4.parent_id = level_3.id AND level_3.parent_id = level_2.id AND level_2.parent_id = $1"
	if got := c.set(4); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := c.set(2); got != "DELETE FROM levels_4.level_2 WHERE level_2.parent_id = $1" {
		t.Errorf("level 2: %s", got)
	}
	if own, others := c.ids(2), c.others(2); !slices.Equal(own, []int64{1, 2, 3, 4}) || others[0] != 5 || len(others) != 500 {
		t.Errorf("ids on level 2: %v and %d others from %d, want 1 to 4 and 500 from 5", own, len(others), others[0])
	}
}

var depthKnobs = runner.Values{"depth": 4, "depth_rows": 61, "short_blocks": 12}

func TestDepthOnEveryVersion(t *testing.T) {
	for _, version := range []string{"16", "17", "18"} {
		t.Run(version, func(t *testing.T) {
			tables, outline, err := onBench(t, version, depthKnobs, true, func(ctx context.Context, b *bench) error {
				if err := b.depth(ctx); err != nil {
					return err
				}
				return digestAgain(ctx, b, t)
			})
			if err != nil {
				t.Fatal(err)
			}
			testDepthCounts(t, tables)
			told := answers(t, tables, outline)
			if len(told) != 2 || len(outline.Figures) != 2 {
				t.Errorf("%d sentences and %d figures, want 2 and 2: %q", len(told), len(outline.Figures), told)
			}
			t.Log(strings.Join(told, "\n"))
		})
	}
}

// testDepthCounts: 61 rows row by row are 61 round trips at every depth,
// set-based one a level, a cascade one; 500 other trees have 500 rows a level, and
// trees of 2, 3 and 4 levels have 1, 1 + 30 and 1 + 20 + 20 rows above the deepest.
func testDepthCounts(t *testing.T, tables runner.Tables) {
	for depth, checked := range map[string]float64{"2": 1, "3": 31, "4": 41} {
		levels, _ := strconv.ParseFloat(depth, 64)
		tree := map[string]string{"depth": depth}
		if rows, all, under := testrun.Number(t, tables["depth_trees"], "tree_rows", tree), testrun.Number(t, tables["depth_trees"], "all_rows", tree), testrun.Number(t, tables["depth_trees"], "checked_rows", tree); rows != 61 || all != 61+500*levels || under != checked {
			t.Errorf("%s levels: %v of %v rows, %v checked, want 61 of %v and %v", depth, rows, all, under, 61+500*levels, checked)
		}
		for way, want := range map[string]float64{rowPrepared: 61, setBased: levels, onCascade: 1} {
			if got := testrun.Number(t, tables["depth_times"], "round_trips", map[string]string{"depth": depth, "arm": way}); got != want {
				t.Errorf("%s on %s levels: %v round trips, want %v", way, depth, got, want)
			}
		}
	}
	// A wait is never shorter than asked for.
	delayed := map[string]string{"depth": "4", "arm": setBased, "added": depthDelay.String()}
	if took := testrun.Number(t, tables["depth_times"], "time_s", delayed); took < 4*depthDelay.Seconds() {
		t.Errorf("4 round trips of %v took %v s", depthDelay, took)
	}
}

// digestAgain holds the arithmetic digest against a walk down the tree by the
// server, which knows nothing of how ids were given.
func digestAgain(ctx context.Context, b *bench, t *testing.T) error {
	conn, err := b.connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, cascade := range []bool{false, true} {
		c := newChain(int(depthKnobs["depth_rows"]), 4, cascade)
		owned := "SELECT 1"
		var parts []string
		for level := 1; level <= 4; level++ {
			if level > 1 {
				owned = fmt.Sprintf("SELECT id FROM %s WHERE parent_id IN (%s)", c.table(level), owned)
			}
			parts = append(parts, fmt.Sprintf("(SELECT string_agg(id::text, ',' ORDER BY id) FROM %s WHERE id NOT IN (%s))", c.table(level), owned))
		}
		var digest string
		if err := conn.QueryRow(ctx, "SELECT encode(sha256(convert_to(concat_ws('/', "+strings.Join(parts, ", ")+"), 'UTF8')), 'hex')").Scan(&digest); err != nil {
			return err
		}
		if digest != c.expected() {
			t.Errorf("%s: walking down leaves %s, arithmetic %s", c.schema, digest, c.expected())
		}
	}
	return nil
}

// TestDepthRefusesASurvivor: a delete that leaves one row on level 3 of 3, and
// one that takes a row of another tree, are caught and name it.
func TestDepthRefusesASurvivor(t *testing.T) {
	for _, c := range []struct{ forget, extra, want string }{
		{" AND level_3.id <> 30", "", "1 of levels_3.level_3 should be gone (id 30)"},
		{"", "DELETE FROM levels_3.level_3 WHERE id = 31", "1 of levels_3.level_3 should be left (id 31)"},
	} {
		_, _, err := onBench(t, "17", depthKnobs, true, func(ctx context.Context, b *bench) error {
			return tryWrong(ctx, b, c.forget, c.extra)
		})
		if !errors.Is(err, errSurvivors) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// tryWrong deletes level 3 of a tree of 3 levels, wrongly.
func tryWrong(ctx context.Context, b *bench, forget, extra string) error {
	d := &depthRun{bench: b, deepest: 3, rows: 61}
	if err := d.plantChains(ctx); err != nil {
		return err
	}
	s, err := b.enter(ctx, forest{}, "auto")
	if err != nil {
		return err
	}
	defer s.close(ctx)
	c := newChain(61, 3, false)
	wrong := deletion{do: func(ctx context.Context) (int64, error) {
		// The root and level 2 stay as well, or the forgotten row's key would refuse.
		return s.simple(ctx, strings.ReplaceAll(c.set(3)+forget, "$1", "1")+"; "+extra)
	}}
	_, err = b.newChainArm(s, c, setBased, 0, wrong).try(ctx)
	return err
}

// TestDepthInvalid: without a valid round trip nothing is concluded from it.
func TestDepthInvalid(t *testing.T) {
	tables, outline, err := onBench(t, "17", runner.Values{"depth": 2, "depth_rows": 11, "short_blocks": 12}, false, func(ctx context.Context, b *bench) error { return b.depth(ctx) })
	if err != nil {
		t.Fatal(err)
	}
	if len(outline.Answer) != 0 {
		t.Errorf("one depth says %q", answers(t, tables, outline))
	}
	tables, outline, err = onBench(t, "17", runner.Values{"depth": 3, "depth_rows": 11, "short_blocks": 12}, false, func(ctx context.Context, b *bench) error { return b.depth(ctx) })
	if err != nil {
		t.Fatal(err)
	}
	if told := answers(t, tables, outline); len(told) != 1 || strings.Contains(told[0], "added") {
		t.Errorf("an invalid round trip says %q", told)
	}
	for _, row := range tables["depth_times"].Rows {
		if row[2] != "none added" && row[2] != "500µs (invalid)" {
			t.Errorf("the round trip of %v is not marked", row)
		}
	}
}
