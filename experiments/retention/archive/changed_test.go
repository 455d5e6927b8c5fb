package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// at calls do once, at the first failpoint whose name ends so.
func at(name string, do func()) func(string) error {
	done := false
	return func(point string) error {
		if !done && strings.HasSuffix(point, " "+name) {
			done = true
			do()
		}
		return nil
	}
}

// What changes a table between its export and its drop stops the drop; the next
// Run exports anew.
func TestChangedBeforeTheDrop(t *testing.T) {
	b := newBed(t, "17")
	for name, c := range map[string]struct {
		sql, says string
		rows      int64
	}{
		"row inserted":          {"INSERT INTO a_old VALUES (251, '2001-03-06', 'late')", "251 rows, 250 were", 251},
		"row deleted":           {"DELETE FROM a_old WHERE id = 7", "249 rows, 250 were", 249},
		"row exchanged":         {"UPDATE a_old SET body = 'row 7 ' WHERE id = 7", "not the same", 250},
		"row twice for another": {"ALTER TABLE a_old DROP CONSTRAINT a_old_pkey; DELETE FROM a_old WHERE id = 7; INSERT INTO a_old SELECT * FROM a_old WHERE id = 8", "not the same", 250},
		"null for empty":        {"UPDATE a_old SET body = NULL WHERE id = 7", "not the same", 250},
		"column added":          {"ALTER TABLE a_old ADD COLUMN more int", "columns", 250},
	} {
		for _, point := range []string{"before restore", "before exclusive"} {
			b.exec("DROP TABLE IF EXISTS a, a_old")
			b.months(250, "a")
			cfg := b.config("a")
			cfg.Fail = at(point, func() { b.exec(c.sql) })
			_, err := Run(t.Context(), cfg)
			if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %s: error %v, want %q", name, point, err, c.says)
			}
			if !b.exists("a_old") {
				t.Fatalf("%s %s: dropped", name, point)
			}
			cfg.Fail = nil
			if out := b.mustRun(cfg); out.Rows != c.rows || out.Discarded == "" {
				t.Errorf("%s %s: run again: %d rows, discarded %q, want %d", name, point, out.Rows, out.Discarded, c.rows)
			}
		}
	}
}

// What damages the folder before the drop stops it; the next Run exports anew.
func TestDamagedBeforeTheDrop(t *testing.T) {
	b := newBed(t, "17")
	for name, damage := range map[string]func(path string) error{
		"bit flipped": func(path string) error {
			content, err := os.ReadFile(path)
			if err == nil {
				content[len(content)/2] ^= 1
				err = os.WriteFile(path, content, 0o600)
			}
			return err
		},
		"part missing": os.Remove,
		"part cut":     func(path string) error { return os.Truncate(path, 20) },
		"part instead of another": func(path string) error {
			return os.Rename(filepath.Join(filepath.Dir(path), "a_old-000001.jsonl.gz"), path)
		},
	} {
		for _, point := range []string{"after rename a_old-000002.jsonl.gz", "before restore", "before rehash"} {
			b.exec("DROP TABLE IF EXISTS a, a_old")
			b.months(250, "a")
			cfg := b.config("a")
			cfg.Fail = at(point, func() {
				if err := damage(filepath.Join(cfg.Dir, "a_old-000002.jsonl.gz")); err != nil {
					t.Fatal(err)
				}
			})
			if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrArchive) || !strings.Contains(err.Error(), "a_old-00000") || !b.exists("a_old") {
				t.Errorf("%s %s: error %v, want one that names the part", name, point, err)
			}
			cfg.Fail = nil
			if out := b.mustRun(cfg); out.Rows != 250 {
				t.Errorf("%s %s: run again: %d rows", name, point, out.Rows)
			}
		}
	}
}

func TestManifestEditedBeforeTheDrop(t *testing.T) {
	b := newBed(t, "17")
	b.months(250, "a")
	cfg := b.config("a")
	cfg.Fail = at("before rehash", func() {
		m, err := ReadManifest(cfg.Dir)
		if err == nil {
			m.Tables[0].Parent = `"public"."z"` // sound in itself, with a sum that fits
			err = WriteManifest(nil, cfg.Dir, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrArchive) || !strings.Contains(err.Error(), ManifestName) || !b.exists("a_old") {
		t.Errorf("error %v, want one that names the manifest", err)
	}
}

// After the drop a damaged archive is said to be the only copy.
func TestDamagedAfterTheDrop(t *testing.T) {
	b := newBed(t, "17")
	b.months(250, "a")
	cfg := b.config("a")
	b.mustRun(cfg)
	if err := os.Remove(filepath.Join(cfg.Dir, "a_old-000002.jsonl.gz")); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrArchive) || !strings.Contains(err.Error(), "only copy") {
		t.Errorf("error %v", err)
	}
	if len(files(t, cfg.Dir)) != 5 { // two parts, manifest, its sum, marker
		t.Errorf("files were removed: %d are left", len(files(t, cfg.Dir)))
	}
}
