package checker

import (
	"fmt"
	"strings"
)

// Kind is what is wrong with a row.
type Kind string

// The kinds of violations.
const (
	// Lost: acknowledged or loaded, and in no place.
	Lost Kind = "lost"
	// Twice: in more than one place, or more than once in one.
	Twice Kind = "twice"
	// Stray: in a place, and nobody wrote it.
	Stray Kind = "stray"
	// Differs: the rows that no ledger has are not those that were loaded, as
	// their digests say; they have no names.
	Differs Kind = "digest differs"
)

// A Violation is one row that is not in exactly one place.
type Violation struct {
	// Kind is what is wrong.
	Kind Kind
	// Table is the Table.Name.
	Table string
	// ID is the row's key; empty for Differs.
	ID string
	// Detail says where the row is, or who wrote it.
	Detail string
}

// String is the violation as a line.
func (v Violation) String() string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s: %s %s (%s)", v.Kind, v.Table, v.ID, v.Detail)), " ")
}

// An ArchiveState is what the checker found of one folder.
type ArchiveState struct {
	// Dir is the folder.
	Dir string
	// Verified is true when there is a manifest and everything in the folder is
	// as the manifest says.
	Verified bool
	// Rows is the number of rows of a verified archive.
	Rows int64
	// Fault is why the archive is not verified; empty when it is.
	Fault string
}

// A Report says where the rows are. All counts are rows.
type Report struct {
	// Acknowledged is what the server said is committed.
	Acknowledged int64
	// Unknown is what was meant to be committed and never acknowledged. Each of
	// them may be in one place or in none.
	Unknown int64
	// UnknownFound is how many of Unknown are in a place.
	UnknownFound int64
	// Loaded is what was loaded without a ledger.
	Loaded int64
	// Live, Detached and Archived count the rows in each place.
	Live, Detached, Archived int64
	// Copies counts the rows in verified archives of relations that still exist.
	Copies int64
	// Archives tells of each folder.
	Archives []ArchiveState
	// Violations are empty when each row is in exactly one place.
	Violations []Violation
}

// String is the report as a line, with the first violations.
func (r Report) String() string {
	text := fmt.Sprintf("acknowledged %d, unknown %d (%d found), loaded %d; live %d, detached %d, archived %d, copies %d; violations %d",
		r.Acknowledged, r.Unknown, r.UnknownFound, r.Loaded, r.Live, r.Detached, r.Archived, r.Copies, len(r.Violations))
	for _, a := range r.Archives {
		if a.Fault != "" {
			text += "\n  archive " + a.Dir + ": " + a.Fault
		}
	}
	for i, v := range r.Violations {
		if i == 5 {
			return text + "\n  …"
		}
		text += "\n  " + v.String()
	}
	return text
}
