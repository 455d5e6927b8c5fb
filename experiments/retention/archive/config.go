package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// The ways to write an archive.
const (
	// MethodCopy is one COPY stream a table, made into JSON Lines by this
	// program and compressed as it comes.
	MethodCopy = "copy"
	// MethodSource is the published way: scans of a key range, row_to_json on
	// the server, the standard library's gzip at level 6, one part at a time,
	// and every part read back when all are written. What it proves is less: rows
	// are counted before the drop, so one that was exchanged for another since
	// the export goes unseen.
	MethodSource = "source"
)

// The bounds of a part and what the zero value of a Config field means.
const (
	// DefaultPartRows is the published size of a part, in rows.
	DefaultPartRows = 50_000
	// MaxPartRows is the largest size of a part, in rows.
	MaxPartRows = 10_000_000
	// DefaultLockTimeout bounds the wait for one lock.
	DefaultLockTimeout = 10 * time.Second
	// DefaultKey is the column that the published method scans by.
	DefaultKey = "id"
)

// Config says what to archive and how. The zero value of a field means what
// its comment says.
type Config struct {
	// Conn opens a connection of its own each time; Run closes it. Its role
	// owns the tables.
	Conn func(ctx context.Context) (*pgx.Conn, error)
	// Tables are the partitions to archive and drop, each as name or
	// schema.name (schema public without one), in PostgreSQL's own spelling.
	Tables []string
	// Parents are the partitioned tables that Tables belong to, in the same
	// order and spelling.
	Parents []string
	// Dir is the folder of the archive: new, or one that an earlier Run with
	// the same tables began.
	Dir string
	// PartRows is the number of rows of a part, 1 to MaxPartRows.
	PartRows int
	// Level is the gzip level, 1 to 9; MethodSource always uses 6.
	Level int
	// Streams is how many tables are read at the same time; 0 means one.
	Streams int
	// RowsPerSecond bounds what MethodCopy takes from others who use the
	// machine: how many rows a second are streamed, over all tables, then how
	// many are read back, beside it, and how many are counted again before the
	// drop. 0 means no bound.
	RowsPerSecond int
	// Restore also reads the archive back into a scratch table and compares
	// it with the original in both directions before anything is dropped.
	Restore bool
	// Method is MethodCopy or MethodSource; empty means MethodCopy.
	Method string
	// Key is the column that MethodSource scans by, unique and of type uuid;
	// empty means DefaultKey.
	Key string
	// LockTimeout bounds the wait for one lock; 0 means DefaultLockTimeout.
	LockTimeout time.Duration
	// Fail is called before and after each step and each file operation with
	// a numbered name such as "0007 before drop"; an error stops Run on the
	// spot, as a crash would: nothing is tidied, the connections close. Nil
	// costs nothing. With Streams 1 the order of the names is the same in
	// every run.
	Fail func(point string) error
	// Timed is told how long each step took: preflight, claim (the folder),
	// detach and in it "detach schema.name" for each, lock, export, verify,
	// manifest, restore, compare, tidy, exclusive (the wait for the last lock),
	// recount, rehash, intend (noting it in the folder), drop, gone, commit, record
	// (that it is done). Export and verify overlap with MethodCopy.
	// Calls do not overlap.
	Timed func(step string, start, end time.Time)

	mistake mistake // seeded by tests
}

// A mistake is one that the pipeline is made to commit, so that a test shows
// that it would be noticed.
type mistake string

const (
	dropEarly     mistake = "drop early"             // before the archive is read back
	noRecount     mistake = "no recount"             // before the drop
	noLock        mistake = "no lock"                // before the snapshot
	readCommitted mistake = "read committed"         // neither lock nor common snapshot
	noFolderSync  mistake = "no fsync of the folder" // after a rename
	rowSecurityOn mistake = "row security left on"   // while exporting
)

// Outcome is what Run did or found done.
type Outcome struct {
	// State is what holds now: StateDropped when all went well.
	State State
	// Resumed is true when an earlier Run had begun.
	Resumed bool
	// Manifest is the manifest of the archive, as it is on disk; its tables
	// hold the rows and bytes.
	Manifest Manifest
	// Rows is the number of rows archived, over all tables.
	Rows int64
	// RawBytes is the size of the JSON Lines, in bytes.
	RawBytes int64
	// Bytes is the size of the compressed parts, in bytes.
	Bytes int64
	// Discarded says why an archive that an earlier Run had completed was
	// written anew; empty when there was none. Until the drop the tables are
	// the truth, so nothing is lost by it.
	Discarded string
}

// State is how far an archive has come.
type State string

// The states, in their order.
const (
	// StateAttached: the partitions are where they were.
	StateAttached State = "attached"
	// StateDetached: no longer part of their parents, not archived.
	StateDetached State = "detached"
	// StateArchived: a complete manifest lies in the folder, the tables still
	// exist.
	StateArchived State = "archived"
	// StateDropped: the archive is the only copy.
	StateDropped State = "dropped"
)
