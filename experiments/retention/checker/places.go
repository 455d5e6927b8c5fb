// Package checker proves that a retention run lost nothing: each row that a
// server acknowledged, and each row of the month that was loaded, is in exactly
// one place. It reads the writers' ledgers, the server and the archives on its
// own and shares no code with the pipeline that it judges.
package checker

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Places says where rows may be and who wrote them.
type Places struct {
	// Ledgers are the paths of the writers' ledgers.
	Ledgers []string
	// Tables are the logical tables.
	Tables []Table
	// Archives are folders of archives. One that does not exist, or that has no
	// manifest because a run was cut short, is no place.
	Archives []string
}

// A Table is one logical table: a partition tree, the relations that were
// detached from it, and their rows in archives.
type Table struct {
	// Name is what the ledgers and the report call it, without white space.
	Name string
	// Key is the column whose values name rows; empty: id.
	Key string
	// Live is the partitioned table as schema.name; empty: none.
	Live string
	// Months are the partitions that are detached and archived, as schema.name.
	// Attached they are part of Live, on their own they are the place Detached;
	// once they are dropped, what verified archives hold of them is the place
	// Archived, and before that a copy, which is no place.
	Months []string
	// Loaded holds the ids that were loaded into the months, which no ledger
	// has. With it every loss and every stray row is named.
	Loaded []string
	// Digest is the digest of such ids where there are too many to hold; Loaded
	// is empty then. Its Rows are what was loaded: what no ledger has must have
	// this digest. The rows that are wrong have no names then.
	Digest *Digest
}

// key is the quoted name of the key column.
func (t Table) key() string {
	name := t.Key
	if name == "" {
		name = "id"
	}
	return pgx.Identifier{name}.Sanitize()
}

// keyName is the name of the key column in an archive.
func (t Table) keyName() string {
	if t.Key == "" {
		return "id"
	}
	return t.Key
}

// quoted quotes a schema.name.
func quoted(relation string) (string, error) {
	schema, name, ok := strings.Cut(relation, ".")
	if !ok || schema == "" || name == "" {
		return "", fmt.Errorf("naming relation %q: write it as schema.name", relation)
	}
	return pgx.Identifier{schema, name}.Sanitize(), nil
}
