package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A marker says which tables the folder is for, from before anything is
// detached. A detached table does not know its parent any more; the marker does.
type marker struct {
	System   int64         `json:"system"`   // of the server's cluster, from pg_control_system
	Database string        `json:"database"` // that the tables are in
	Tables   []markedTable `json:"tables"`

	// What follows is a line each after the JSON. They are added in place: a
	// temporary file would be a fault of the archive if the run were killed.
	dropping bool // a drop was begun: tables that are gone went by it
	dropped  bool // it was committed: the archive is the only copy
}

// The lines.
const (
	droppingLine = "dropping\n"
	droppedLine  = "dropped\n"
)

type markedTable struct {
	Table  string `json:"table"`  // quoted, with its schema
	Parent string `json:"parent"` // the same
	OID    uint32 `json:"oid"`    // of the table: another of this name is not it
}

// markerFor makes the marker of the tables as they are now.
func markerFor(ctx context.Context, conn *pgx.Conn, tables []*relation) (marker, error) {
	var m marker
	err := conn.QueryRow(ctx, "SELECT system_identifier, current_database() FROM pg_control_system()").Scan(&m.System, &m.Database)
	if err != nil {
		return m, fmt.Errorf("identifying the server: %w", err)
	}
	for _, t := range tables {
		m.Tables = append(m.Tables, markedTable{Table: t.ident(), Parent: t.parent.Sanitize(), OID: t.oid})
	}
	return m, nil
}

// readMarker returns nil when the folder is to be made or is empty.
func readMarker(dir string) (*marker, error) {
	text, err := readBounded(filepath.Join(dir, MarkerName), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refuseForeign(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: reading the marker of folder %q: %w: choose another folder", ErrForeign, dir, err)
	}
	var m marker
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("%w: marker %q: %w: choose another folder", ErrForeign, filepath.Join(dir, MarkerName), err)
	}
	notes := string(text[d.InputOffset():])
	m.dropping, m.dropped = strings.Contains(notes, droppingLine), strings.Contains(notes, droppedLine)
	return &m, nil
}

// refuseForeign refuses a folder without a marker that holds anything. A run
// that was killed early may have left it empty.
func refuseForeign(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: reading folder %q: %w: choose another", ErrForeign, dir, err)
	}
	for _, e := range entries {
		if !isMarkerTemp(e.Name()) {
			return fmt.Errorf("%w: folder %q holds %q and no %s: choose a folder that does not exist", ErrForeign, dir, e.Name(), MarkerName)
		}
	}
	return nil
}

// isMarkerTemp tells what a run that was killed early may have left.
func isMarkerTemp(name string) bool {
	return strings.HasPrefix(name, MarkerName+".") && strings.HasSuffix(name, TempSuffix)
}

// claim makes the folder ours, unless another run does so at the same time.
func (m *marker) claim(disk *Disk, dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := disk.Mkdir(dir); err != nil {
			return err
		}
	}
	text, err := m.encode()
	if err != nil {
		return err
	}
	file := filepath.Join(dir, MarkerName)
	temporary := fmt.Sprintf("%s.%d-%d%s", file, m.System, m.Tables[0].OID, TempSuffix)
	err = disk.Claim(file, temporary, text)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: another run has begun in folder %q meanwhile: choose another folder", ErrForeign, dir)
	}
	if err != nil {
		return err
	}
	return syncAbove(disk, dir)
}

// write writes the marker of a folder that is ours anew. So it is found out
// that the folder can be written, and the folder's name lasts, whatever the run
// that made it came to.
func (m *marker) write(disk *Disk, dir string) error {
	text, err := m.encode()
	if err != nil {
		return err
	}
	if err := disk.WriteFile(filepath.Join(dir, MarkerName), text); err != nil {
		return err
	}
	return syncAbove(disk, dir)
}

func (m *marker) encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	text = append(text, '\n')
	if m.dropping {
		text = append(text, droppingLine...)
	}
	if m.dropped {
		text = append(text, droppedLine...)
	}
	return text, err
}

// note adds a line to the marker of a folder. One that was cut before is ended.
func note(disk *Disk, dir, line string) error {
	file := filepath.Join(dir, MarkerName)
	if err := disk.Append(file, []byte("\n"+line)); err != nil {
		return err
	}
	return disk.SyncFile(file)
}

// syncAbove makes the name of the folder last.
func syncAbove(disk *Disk, dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// fits refuses a folder of other tables, and tables that have taken the names
// of those that the folder was begun for.
func (m *marker) fits(now marker, dir string) error {
	if m.System != now.System || m.Database != now.Database || len(m.Tables) != len(now.Tables) {
		return fmt.Errorf("%w: folder %q belongs to database %q and tables %s: choose another folder", ErrForeign, dir, m.Database, m.names())
	}
	for i, was := range m.Tables {
		is := now.Tables[i]
		if was.Table != is.Table || was.Parent != is.Parent {
			return fmt.Errorf("%w: folder %q belongs to tables %s: choose another folder", ErrForeign, dir, m.names())
		}
		if is.OID != 0 && is.OID != was.OID {
			return fmt.Errorf("%w: table %s is another one than the folder %q was begun for (oid %d, now %d): choose another folder", ErrForeign, is.Table, dir, was.OID, is.OID)
		}
	}
	return nil
}

func (m *marker) names() string {
	var names []string
	for _, t := range m.Tables {
		names = append(names, t.Table)
	}
	return strings.Join(names, ", ")
}

// strangers returns the files of a folder that no run with these tables makes.
func strangers(dir string, tables []*relation) ([]string, error) {
	var found []string
	err := eachFile(dir, func(name string) error {
		base := strings.TrimSuffix(name, TempSuffix)
		if !slices.Contains([]string{MarkerName, ManifestName, SumName}, base) && !ofTables(base, tables) && !isMarkerTemp(name) {
			found = append(found, name)
		}
		return nil
	})
	return found, err
}

// ofTables says whether a name is that of a part of one of the tables.
func ofTables(name string, tables []*relation) bool {
	for _, t := range tables {
		first := PartName(t.schema, t.name, 1)
		stem := strings.TrimSuffix(first, "000001.jsonl.gz")
		number, ok := strings.CutPrefix(name, stem)
		number, gz := strings.CutSuffix(number, ".jsonl.gz")
		if ok && gz && len(number) >= 6 && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	return false
}

func eachFile(dir string, do func(name string) error) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading folder %q: %w", dir, err)
	}
	for _, e := range entries {
		if err := do(e.Name()); err != nil {
			return err
		}
	}
	return nil
}
