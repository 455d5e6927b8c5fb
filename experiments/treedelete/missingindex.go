package treedelete

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/instrument"
)

// missingOthers is how many other documents the tables hold, with one block each,
// where the smallest table has room for them.
const missingOthers = 1000

// checkMissing refuses knobs that leave the smallest table without other rows.
func checkMissing(v runner.Values) error {
	if v["missing_blocks"] >= v["missing_rows"]/4 {
		return fmt.Errorf("missing_blocks is %d and the smallest table has missing_rows / 4 = %d attributes: raise missing_rows or lower missing_blocks", v["missing_blocks"], v["missing_rows"]/4)
	}
	return nil
}

func (m *missingRun) close(ctx context.Context) {
	for _, c := range m.cases {
		if c.session != nil {
			c.session.close(ctx)
		}
	}
}

// A missingCase is a size of the attributes table, with the index on its
// referencing column or without.
type missingCase struct {
	schema  string
	forest  forest
	rows    int // attributes
	indexed bool
	pages   int64 // of attributes
	session *session
	entry   *entry
}

// index says in tables which case it is.
func (c *missingCase) index() string {
	if c.indexed {
		return "with index"
	}
	return "without index"
}

func (c *missingCase) name() string { return fmt.Sprintf("%s, %d attributes", c.index(), c.rows) }

func (c *missingCase) tree() tree { return tree{document: 1, blocks: c.forest.blocks[0]} }

// missingIndex deletes the same tree with and without the index that the foreign
// key's trigger needs, at three sizes of the referencing table.
func (b *bench) missingIndex(ctx context.Context) error {
	m := &missingRun{bench: b}
	if err := m.plant(ctx); err != nil {
		return err
	}
	defer m.close(context.WithoutCancel(ctx))
	for _, c := range m.cases {
		if err := b.openMissing(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
	}
	for _, part := range []func(context.Context) error{m.time, m.explain, m.cascade} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	m.conclude()
	return nil
}

// plant loads three sizes, each twice, and the cascade. The last two cases
// are the largest.
func (m *missingRun) plant(ctx context.Context) error {
	largest, tested := m.lab.Knob("missing_rows"), m.lab.Knob("missing_blocks")
	step := m.lab.Setup("load tables without an index")
	defer step.Done()
	f := forest{blocks: []int{tested}, others: min(missingOthers, largest/4-tested), layout: scattered}
	for i, rows := range []int{largest / 4, largest / 2, largest} {
		name := fmt.Sprintf("size_%d", i+1)
		m.cases = append(m.cases, &missingCase{schema: name, forest: f, rows: rows, indexed: true}, &missingCase{schema: name + "_bare", forest: f, rows: rows})
	}
	m.cascading = newCascading(largest)
	conn, err := m.connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	load := []string{"CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public"}
	vacuum := "VACUUM (ANALYZE)"
	for _, c := range append(m.cases[:len(m.cases):len(m.cases)], m.cascading) {
		load = append(load, c.load(m.lab.Seed)...)
		vacuum += fmt.Sprintf(" %[1]s.documents, %[1]s.blocks, %[1]s.attributes,", c.schema)
	}
	for _, sql := range []string{strings.Join(load, ";\n"), strings.TrimSuffix(vacuum, ",")} {
		if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("loading tables without an index: %w", err)
		}
	}
	return nil
}

// load is the statements that make a case's schema: a forest with more attributes
// for other blocks than the tree's, or for the tree's where there are no others.
// The same seed gives the same pages.
func (c *missingCase) load(seed uint64) []string {
	action := "ON DELETE NO ACTION"
	if c.forest.cascade {
		action = "ON DELETE CASCADE"
	}
	first, owners := c.forest.blocks[0]+1, c.forest.others
	if owners == 0 {
		first, owners = 1, c.forest.blocks[0]
	}
	planted, order := c.forest.blocks[0]+c.forest.others, c.forest.order(seed)
	load := []string{"CREATE SCHEMA " + c.schema, "SET search_path = " + c.schema, statement("schema"),
		statement("load", ":blocks", c.forest.array(), ":others", strconv.Itoa(c.forest.others), ":order", order),
		statement("missing_attributes", ":first", strconv.Itoa(first), ":owners", strconv.Itoa(owners), ":from", strconv.Itoa(planted+1), ":to", strconv.Itoa(c.rows), ":order", order),
		statement("keys", ":action", action)}
	if !c.indexed {
		load = append(load, "DROP INDEX attributes_block_id_idx")
	}
	return load
}

// enterMissing opens a session of a case. Plans are generic from the first
// execution, the triggers' too, so that none changes while it is timed.
func (b *bench) enterMissing(ctx context.Context, c *missingCase) (*session, error) {
	f := c.forest
	f.schema = c.schema
	s, err := b.enter(ctx, f, generic)
	if err != nil {
		return nil, err
	}
	// pg_stat_statements can count a prepared statement only if it got its id when it
	// was prepared, and what is timed is to be counted as well.
	if _, err := s.simple(ctx, "SET compute_query_id = on"); err != nil {
		s.close(ctx)
		return nil, err
	}
	return s, nil
}

// openMissing opens a case's session and its deletion.
func (b *bench) openMissing(ctx context.Context, c *missingCase) error {
	var err error
	if c.session, err = b.enterMissing(ctx, c); err != nil {
		return err
	}
	size, err := instrument.RelationSize(ctx, c.session.conn, "attributes")
	if err != nil {
		return err
	}
	c.pages = size / 8192
	c.entry, err = b.open(ctx, c.name(), wayNamed(setBased), c.session, c.tree(), 0)
	return err
}

// timeMissing times every case in turns: in as many blocks as arms of less than
// 10 ms need, since those with the index are such, or as repeats when an arm takes
// over a second. The last arm is the smallest without the index against itself.
func (b *bench) timeMissing(ctx context.Context, cases []*missingCase) (*runner.Samples, error) {
	var arms []runner.Arm
	for _, c := range cases {
		arms = append(arms, c.entry.arm())
	}
	again := *cases[1].entry
	again.name += ", again"
	arms = append(arms, again.arm())
	slowest := cases[len(cases)-1].entry.arm()
	took, err := slowest.Once(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", slowest.Name, err)
	}
	if took > time.Second {
		return b.repeat(ctx, "missing index", arms, repeats, 1)
	}
	return b.compareShort(ctx, "missing index", arms)
}
