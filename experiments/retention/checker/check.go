package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Check looks at all places and says where each row is. The writers may be
// running, unless a table has a Digest; the pipeline may not. Without a connection there is no server to
// look at: nothing is live or detached, all Months count as dropped, and what
// the archives lack is lost. An error means that a place could not be read, and
// then nothing is proved.
func Check(ctx context.Context, conn *pgx.Conn, places Places) (Report, error) {
	said, err := readLedgers(places.Ledgers) // before the snapshot, so that it has what they acknowledge
	if err != nil {
		return Report{}, err
	}
	c, err := newCheck(places, said)
	if err != nil {
		return Report{}, err
	}
	if conn != nil {
		if err := c.server(ctx, conn); err != nil {
			return Report{}, err
		}
	}
	c.archives(places.Archives)
	later, err := readLedgers(places.Ledgers)
	if err != nil {
		return Report{}, err
	}
	for _, t := range c.tallies {
		if t.meanwhile(later) && t.table.Digest != nil {
			return Report{}, fmt.Errorf("checking table %q by a digest: its writers are running; stop them first", t.table.Name)
		}
		t.report(&c.report)
	}
	return c.report, nil
}

// check is one look at all places.
type check struct {
	tallies  []*tally
	months   map[string]*tally // by relation
	existing map[string]bool   // months that the server still has
	report   Report
}

// newCheck prepares the tallies. What is said of unknown tables, or twice, is
// an error: the rows would count nowhere.
func newCheck(places Places, said promises) (*check, error) {
	c := &check{months: map[string]*tally{}, existing: map[string]bool{}}
	var names []string
	for _, t := range places.Tables {
		if slices.Contains(names, t.Name) || t.Digest != nil && t.Loaded != nil {
			return nil, fmt.Errorf("checking table %q: it is named twice, or has both ids and a digest", t.Name)
		}
		names = append(names, t.Name)
		one := newTally(t, said)
		c.tallies = append(c.tallies, one)
		for _, m := range t.Months {
			if c.months[m] != nil {
				return nil, fmt.Errorf("checking month %q: it is named twice", m)
			}
			c.months[m] = one
		}
	}
	for at := range said {
		if !slices.Contains(names, at.table) {
			return nil, fmt.Errorf("checking %s %s of a ledger: no table has that name", at.table, at.id)
		}
	}
	return c, nil
}

// server counts what is live and detached.
func (c *check) server(ctx context.Context, conn *pgx.Conn) (err error) {
	v, err := openView(ctx, conn, c.relations())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close(ctx)) }()
	for _, t := range c.tallies {
		if t.table.Live != "" {
			if err := c.relation(ctx, v, t, live, t.table.Live); err != nil {
				return err
			}
		}
		for _, month := range t.table.Months {
			is, err := v.standing(ctx, month)
			if err != nil {
				return err
			}
			c.existing[month] = is != gone
			if is != alone {
				continue
			}
			if err := c.relation(ctx, v, t, detached, month); err != nil {
				return err
			}
		}
	}
	return nil
}

// relations are all that the server may have.
func (c *check) relations() (names []string) {
	for _, t := range c.tallies {
		if t.table.Live != "" {
			names = append(names, t.table.Live)
		}
		names = append(names, t.table.Months...)
	}
	return names
}

// relation counts the rows of one relation.
func (c *check) relation(ctx context.Context, v *view, t *tally, place int, name string) error {
	var rows batch
	if err := v.ids(ctx, name, t.table.key(), func(id string) { t.collect(&rows, id) }); err != nil {
		return err
	}
	t.take(place, &rows)
	return nil
}

// archives counts what verified archives hold. An archive that is not verified
// is told of and holds nothing.
func (c *check) archives(dirs []string) {
	for _, dir := range dirs {
		found := map[string][]*batch{} // by relation; a relation that is listed twice is counted twice
		rows, err := readArchive(dir, c.keyOf, func(relation string) func(id string) {
			rows := &batch{}
			found[relation] = append(found[relation], rows)
			return func(id string) { c.months[relation].collect(rows, id) }
		})
		state := ArchiveState{Dir: dir, Verified: err == nil, Rows: rows}
		if err != nil {
			state.Fault = err.Error()
		}
		c.report.Archives = append(c.report.Archives, state)
		if err != nil {
			continue
		}
		for relation, tables := range found {
			for _, rows := range tables {
				c.archive(relation, rows)
			}
		}
	}
}

// keyOf names the key column of a relation; it is an error when that is none of
// the months.
func (c *check) keyOf(relation string) (string, error) {
	if t := c.months[relation]; t != nil {
		return t.table.keyName(), nil
	}
	return "", fmt.Errorf("it holds relation %q, which is none of the months", relation)
}

// archive counts the rows of a verified archive of one relation.
func (c *check) archive(relation string, rows *batch) {
	if c.existing[relation] {
		c.report.Copies += rows.size()
		return
	}
	c.months[relation].take(archived, rows)
}
