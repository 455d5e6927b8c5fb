package treedelete

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// fewestThin is the fewest other trees: with fewer rows in a table its planner
// reads all of it instead of an index, and depth would be confused with that.
const fewestThin = 500

// A chain is a number of tables, each of which references the one above. They hold
// the tree under test, whose ids count from 1 on each level, and other trees of
// one row a level.
type chain struct {
	schema  string // of its tables level_1, level_2 and so on
	sizes   []int  // rows of the tree under test, by level from the root's
	thin    int    // other trees
	cascade bool   // the foreign keys are ON DELETE CASCADE
}

// newChain is a chain of so many levels whose tree has so many rows.
func newChain(rows, depth int, cascade bool) chain {
	c := chain{schema: fmt.Sprintf("levels_%d", depth), sizes: levelSizes(rows, depth), thin: max(rows, fewestThin), cascade: cascade}
	if cascade {
		c.schema += "_cascade"
	}
	return c
}

// levelSizes spreads the rows of a tree over its levels: one root and the rest
// evenly, the deepest levels taking what does not divide. No level has fewer rows
// than the one above, so that no row but the deepest is without a child.
func levelSizes(rows, depth int) []int {
	sizes := []int{1}
	for left := rows - 1; len(sizes) < depth; left -= sizes[len(sizes)-1] {
		sizes = append(sizes, left/(depth-len(sizes)))
	}
	return sizes
}

func (c chain) depth() int { return len(c.sizes) }

// rows is how many rows the tree under test has.
func (c chain) rows() int64 {
	n := 0
	for _, size := range c.sizes {
		n += size
	}
	return int64(n)
}

// all is how many rows the chain has.
func (c chain) all() int64 { return c.rows() + int64(c.thin*c.depth()) }

// checked is how many rows of the tree may not go before what references them:
// all but the deepest.
func (c chain) checked() int64 { return c.rows() - int64(c.sizes[c.depth()-1]) }

// ids are those of the tree under test on a level, from 1.
func (c chain) ids(level int) []int64 { return consecutive(1, c.sizes[level-1]) }

// others are the ids on a level that must be left, in their order.
func (c chain) others(level int) []int64 { return consecutive(c.sizes[level-1]+1, c.thin) }

func consecutive(first, n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(first + i)
	}
	return ids
}

// expected is the digest that deleting the tree under test must leave. It is
// arithmetic: no server was asked.
func (c chain) expected() string {
	levels := make([]string, c.depth())
	for i := range levels {
		levels[i] = strings.Trim(string(arrayOf(c.others(i+1))), "{}")
	}
	sum := sha256.Sum256([]byte(strings.Join(levels, "/")))
	return hex.EncodeToString(sum[:])
}

// table is the name of a level's table.
func (c chain) table(level int) string { return fmt.Sprintf("%s.level_%d", c.schema, level) }

// load is the statements that make the chain, its rows in an order that depends
// on the seed.
func (c chain) load(seed uint64) string {
	action := "ON DELETE NO ACTION"
	if c.cascade {
		action = "ON DELETE CASCADE"
	}
	sql := []string{"CREATE SCHEMA " + c.schema + ";"}
	above := 0
	for i, size := range c.sizes {
		sql = append(sql, statement("depth_level", ":schema", c.schema, ":level", strconv.Itoa(i+1), ":thin", strconv.Itoa(c.thin),
			":size", strconv.Itoa(size), ":above", strconv.Itoa(above), ":order", forest{layout: scattered}.order(seed)))
		above = size
	}
	for level := 2; level <= c.depth(); level++ {
		sql = append(sql, statement("depth_key", ":schema", c.schema, ":level", strconv.Itoa(level), ":parent", strconv.Itoa(level-1), ":action", action))
	}
	return strings.Join(sql, "\n")
}

// row deletes one row of a level.
func (c chain) row(level int) string {
	return statement("depth_row", ":schema", c.schema, ":level", strconv.Itoa(level))
}

// set deletes the rows of a level that belong to a root, which it finds by
// joining the levels between.
func (c chain) set(level int) string {
	if level == 1 {
		return c.row(1)
	}
	var joined, where []string
	for l := level; l > 2; l-- {
		joined = append(joined, c.table(l-1))
		where = append(where, fmt.Sprintf("level_%d.parent_id = level_%d.id", l, l-1))
	}
	using := ""
	if len(joined) > 0 {
		using = " USING " + strings.Join(joined, ", ")
	}
	return "DELETE FROM " + c.table(level) + using + " WHERE " + strings.Join(append(where, "level_2.parent_id = $1"), " AND ")
}

// survivors counts and digests what the chain holds.
func (c chain) survivors() string {
	var counts, digests, levels []string
	for level := 1; level <= c.depth(); level++ {
		counts = append(counts, fmt.Sprintf("rows_%d", level))
		digests = append(digests, fmt.Sprintf("ids_%d", level))
		levels = append(levels, fmt.Sprintf("(SELECT count(*) AS rows_%[1]d, string_agg(id::text, ',' ORDER BY id) AS ids_%[1]d FROM %[2]s) AS of_%[1]d", level, c.table(level)))
	}
	return fmt.Sprintf("SELECT %s, encode(sha256(convert_to(concat_ws('/', %s), 'UTF8')), 'hex') FROM %s",
		strings.Join(counts, " + "), strings.Join(digests, ", "), strings.Join(levels, ", "))
}
