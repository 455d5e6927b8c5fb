// Package archive moves whole partitions of PostgreSQL into a folder of
// compressed files, proves that nothing was lost, and only then drops them.
package archive

import (
	"fmt"
	"strings"
	"time"
)

// Format is the number of the format that this package writes and reads;
// docs/archive-format.md describes it.
const Format = 1

// The names of the files of an archive that are no parts.
const (
	ManifestName = "manifest.json"        // what the archive holds; written last
	SumName      = "manifest.json.sha256" // SHA-256 of the manifest, as sha256sum writes it
	MarkerName   = "deletecost-archive"   // says that the folder is ours, from before the first part
	TempSuffix   = ".tmp"                 // the end of the name of a file that is not complete
)

// How the values of a column are carried.
const (
	CarryJSON = "json" // as JSON has it: a number, true, false, or a string that holds the text of the value
	CarryText = "text" // as a string that holds the column's text output, whatever the type
)

// A Manifest says what an archive holds. It is manifest.json.
type Manifest struct {
	Format   int               `json:"format"`   // Format
	Created  time.Time         `json:"created"`  // when the manifest was written, UTC, RFC 3339
	Server   string            `json:"server"`   // PostgreSQL's server_version
	Snapshot time.Time         `json:"snapshot"` // when the one snapshot was taken, by the server's clock
	Settings map[string]string `json:"settings"` // settings that the text of values depends on, as pinned
	Tables   []TableManifest   `json:"tables"`   // in the order of the request
}

// A TableManifest says what the archive holds of one table.
type TableManifest struct {
	Schema   string   `json:"schema"`        // of the archived relation
	Name     string   `json:"name"`          // of the archived relation, unquoted
	Parent   string   `json:"parent"`        // the partitioned table that it was detached from, as regclass writes it
	Columns  []Column `json:"columns"`       // in the order of the keys of each line
	Key      []string `json:"key,omitempty"` // the columns of the primary key; none without one
	Rows     int64    `json:"rows"`          // over all parts
	RawBytes int64    `json:"raw_bytes"`     // over all parts, before compression, with the newlines
	Digest   string   `json:"digest"`        // of the table's rows in any order, 64 hexadecimal digits, as docs/archive-format.md says; "0" of MethodSource
	Parts    []Part   `json:"parts"`         // in the order of their numbers, from 1; none of an empty table
}

// A Column is one column of an archived table.
type Column struct {
	Name  string `json:"name"`  // unquoted; the key in each line
	Type  string `json:"type"`  // as format_type writes it, with modifiers
	Carry string `json:"carry"` // CarryJSON or CarryText
}

// A Part is one file of an archive: one gzip member of JSON Lines.
type Part struct {
	File      string   `json:"file"`                // PartName; a name within the folder
	Rows      int64    `json:"rows"`                // one a line, at least 1
	RawBytes  int64    `json:"raw_bytes"`           // before compression, with the newlines
	RawSHA256 string   `json:"raw_sha256"`          // of the raw bytes, hexadecimal
	Bytes     int64    `json:"bytes"`               // of the file
	SHA256    string   `json:"sha256"`              // of the file, hexadecimal
	FirstKey  []string `json:"first_key,omitempty"` // the text of the key's columns in the first line
	LastKey   []string `json:"last_key,omitempty"`  // the same of the last line
}

// Bytes returns the size of all part files of the table, in bytes.
func (t *TableManifest) Bytes() int64 {
	var sum int64
	for _, p := range t.Parts {
		sum += p.Bytes
	}
	return sum
}

// PartName is the name of the file of a part, numbered from 1:
// <table>-<number>.jsonl.gz, with the schema before it unless that is public.
// Every byte but a-z, 0-9 and _ is written as %XX, so that no two tables share
// a name, also where a file system does not tell A from a.
func PartName(schema, table string, number int) string {
	name := escaped(table)
	if schema != "public" {
		name = escaped(schema) + "." + name
	}
	return fmt.Sprintf("%s-%06d.jsonl.gz", name, number)
}

func escaped(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
