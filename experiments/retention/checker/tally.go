package checker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The places.
const (
	live = iota
	detached
	archived
	places
)

// placeNames are the places for people.
var placeNames = [places]string{"live", "detached", "archived"}

// seen counts how often a row is in each place.
type seen [places]uint16

// total is how often the row is there at all.
func (s seen) total() int { return int(s[live]) + int(s[detached]) + int(s[archived]) }

// words says where the row is.
func (s seen) words() string {
	var at []string
	for place, times := range s {
		if times > 0 {
			at = append(at, fmt.Sprintf("%d times %s", times, placeNames[place]))
		}
	}
	if at == nil {
		return "nowhere"
	}
	return strings.Join(at, ", ")
}

// A tally counts the rows of one table, wherever they are.
type tally struct {
	table  Table
	ledger map[string]bool // ids that writers meant, acknowledged or not
	known  map[string]seen // the rows whose ids are held: those of the ledgers and, without a digest, all
	rest   Digest          // with a digest, all others
	counts [places]int64
}

// newTally prepares to count the rows of a table.
func newTally(t Table, said promises) *tally {
	c := &tally{table: t, ledger: map[string]bool{}, known: map[string]seen{}}
	for at, acknowledged := range said {
		if at.table == t.Name {
			c.ledger[at.id] = acknowledged
			c.known[at.id] = seen{}
		}
	}
	for _, id := range t.Loaded {
		c.known[id] = seen{}
	}
	return c
}

// A batch is rows that are in one place together, or not at all.
type batch struct {
	ids  []string
	rest Digest
}

func (b *batch) size() int64 { return int64(len(b.ids)) + b.rest.Rows }

// collect puts one row into a batch.
func (c *tally) collect(b *batch, id string) {
	if _, held := c.known[id]; !held && c.table.Digest != nil {
		b.rest.Add(id)
		return
	}
	b.ids = append(b.ids, id)
}

// take counts the rows of a batch in a place.
func (c *tally) take(place int, b *batch) {
	c.counts[place] += b.size()
	c.rest.merge(b.rest)
	for _, id := range b.ids {
		at := c.known[id]
		at[place]++
		c.known[id] = at
	}
}

// meanwhile takes the rows that writers began after the ledgers were first
// read, and tells whether there are any. One that is there may be there, and
// nothing is owed.
func (c *tally) meanwhile(later promises) (any bool) {
	for at := range later {
		if _, known := c.ledger[at.id]; at.table == c.table.Name && !known {
			c.ledger[at.id] = false
			any = true
		}
	}
	return any
}

// report adds what was counted.
func (c *tally) report(r *Report) {
	r.Live += c.counts[live]
	r.Detached += c.counts[detached]
	r.Archived += c.counts[archived]
	for id, acknowledged := range c.ledger {
		switch {
		case acknowledged:
			r.Acknowledged++
		default:
			r.Unknown++
			if c.known[id].total() > 0 {
				r.UnknownFound++
			}
		}
	}
	r.Loaded += int64(len(c.table.Loaded))
	loaded := map[string]bool{}
	for _, id := range c.table.Loaded {
		loaded[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.known)) {
		if v, wrong := c.judge(id, loaded[id]); wrong {
			r.Violations = append(r.Violations, v)
		}
	}
	c.compareDigest(r)
}

// judge looks at one row.
func (c *tally) judge(id string, loaded bool) (v Violation, wrong bool) {
	acknowledged, meant := c.ledger[id]
	at := c.known[id]
	v = Violation{Table: c.table.Name, ID: id, Detail: at.words()}
	switch n := at.total(); {
	case n == 0 && acknowledged:
		v.Kind, v.Detail = Lost, "acknowledged, nowhere"
	case n == 0 && loaded:
		v.Kind, v.Detail = Lost, "loaded, nowhere"
	case n > 1:
		v.Kind = Twice
	case n == 1 && !meant && !loaded:
		v.Kind = Stray
	}
	return v, v.Kind != ""
}

// compareDigest compares the rows without names with what was loaded.
func (c *tally) compareDigest(r *Report) {
	if c.table.Digest == nil {
		return
	}
	r.Loaded += c.table.Digest.Rows
	if want := *c.table.Digest; c.rest != want {
		r.Violations = append(r.Violations, Violation{Kind: Differs, Table: c.table.Name, Detail: fmt.Sprintf("loaded %v; found %v", want, c.rest)})
	}
}
