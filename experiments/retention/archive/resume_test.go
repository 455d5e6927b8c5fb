package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// endControl ends the session that holds the run's advisory lock.
func (b *bed) endControl() {
	b.t.Helper()
	if n := value[int](b, "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory' AND granted"); n != 1 {
		b.t.Errorf("%d sessions held the run's advisory lock, want 1", n)
	}
}

// The session that keeps other runs out is lost, and another run comes in that
// has seen no manifest yet and begins to discard the parts. Whatever comes of
// the two, the archive is whole once the table is gone.
func TestSecondRunCannotDiscardWhatTheFirstDrops(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	first, second := b.config("a"), b.config("a")
	second.Dir, first.Restore, second.Restore = first.Dir, false, false
	first.LockTimeout, second.LockTimeout = 300*time.Millisecond, 300*time.Millisecond
	removing, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	second.Fail = at("before remove a_old-000001.jsonl.gz", func() {
		close(removing)
		<-goOn
	})
	first.Fail = at("before manifest", func() {
		b.endControl()
		go func() {
			_, err := Run(t.Context(), second)
			ended <- err
		}()
		<-removing
	})
	_, err := Run(t.Context(), first)
	close(goOn)
	if second := <-ended; err == nil && second == nil {
		t.Error("both runs came to their end")
	}
	if b.exists("a_old") {
		b.mustRun(b.sameDir(first))
	}
	if faults := faultsOf(t, first.Dir); len(faults) > 0 {
		t.Errorf("the table is gone and the archive is not whole: %q", faults)
	}
}

// sameDir is the configuration of a run without faults.
func (b *bed) sameDir(cfg Config) Config {
	cfg.Fail, cfg.LockTimeout = nil, 0
	return cfg
}

func TestControlIsLost(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	cfg := b.config("a")
	cfg.Fail = at("before exclusive", b.endControl)
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrLocked) || !b.exists("a_old") {
		t.Errorf("%v, want that the run gives up", err)
	}
	b.mustRun(b.sameDir(cfg))

	b.exec("DROP TABLE a")
	b.months(150, "a")
	b.exec("CREATE ROLE hasty SUPERUSER LOGIN; ALTER ROLE hasty SET idle_session_timeout = '50ms'; ALTER ROLE hasty SET transaction_timeout = '50ms'")
	cfg = b.config("a")
	cfg = b.asRole(cfg, "hasty")
	cfg.Fail = at("before export", func() { time.Sleep(100 * time.Millisecond) })
	b.mustRun(cfg)
}

// Of two runs of different servers that begin in one empty folder, one gets it.
func TestOneRunClaimsAFolder(t *testing.T) {
	dir := t.TempDir()
	one, two := marker{System: 1, Tables: []markedTable{{"a", "p", 7}}}, marker{System: 2, Tables: []markedTable{{"a", "p", 7}}}
	late := &Disk{Fail: func(_ int, name string) error {
		if strings.HasPrefix(name, "before link") {
			return two.claim(nil, dir)
		}
		return nil
	}}
	if err := one.claim(late, dir); !errors.Is(err, fs.ErrExist) && !errors.Is(err, ErrForeign) {
		t.Errorf("%v, want that the folder is the other's", err)
	}
	got, err := readMarker(dir)
	if err != nil || got.System != 2 {
		t.Errorf("%+v, %v, want the marker of the run that claimed it", got, err)
	}
	if err := two.fits(one, dir); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
}

func TestTablesThatSomebodyElseDropped(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	cfg := b.config("a")
	cfg.Fail = func(point string) error {
		if strings.HasSuffix(point, " after manifest") {
			return errKilled
		}
		return nil
	}
	if _, err := Run(t.Context(), cfg); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	b.exec("INSERT INTO a_old VALUES (1000, '2001-03-07', 'late'); DROP TABLE a_old")
	_, err := Run(t.Context(), b.sameDir(cfg))
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "did not drop them") {
		t.Errorf("%v, want that the late row may be lost", err)
	}
}

// On a copy of the server, made before the drop, the table is there again. The
// folder holds the only copy of the first server's, and stays as it is.
func TestArchiveOfADroppedTableIsNeverDiscarded(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	cfg := b.config("a")
	b.mustRun(cfg)
	b.exec("CREATE TABLE a_old PARTITION OF a FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')")
	file := filepath.Join(cfg.Dir, MarkerName)
	m, err := readMarker(cfg.Dir)
	if err != nil || !m.dropped {
		t.Fatalf("%+v, %v, want the drop on record", m, err)
	}
	m.Tables[0].OID = value[uint32](b, "SELECT 'a_old'::regclass::oid") // a copy has the same
	text, err := m.encode()
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := files(t, cfg.Dir)
	wantRefused(b, cfg, "a_old", ErrForeign, "only copy")
	if after := files(t, cfg.Dir); len(after) != len(before) || string(after[ManifestName]) != string(before[ManifestName]) {
		t.Errorf("the folder has changed: %d files, %d before", len(after), len(before))
	}
}

// A lock of a table does not keep its schema from being renamed. The table that
// has its name then is not the one that was compared.
func TestAnotherTableTakesTheName(t *testing.T) {
	b := newBed(t, "17")
	b.exec("CREATE SCHEMA s; CREATE SCHEMA other; SET search_path = s")
	b.months(150, "a")
	b.exec("RESET search_path; CREATE TABLE other.a_old AS TABLE s.a_old")
	cfg := b.config()
	cfg.Tables, cfg.Parents = []string{"s.a_old"}, []string{"s.a"}
	cfg.Fail = at("before drop", func() { b.exec("ALTER SCHEMA s RENAME TO was; ALTER SCHEMA other RENAME TO s") })
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrForeign) {
		t.Errorf("%v, want that nothing is dropped", err)
	}
	if !b.exists("s.a_old") || !b.exists("was.a_old") {
		t.Error("a table is gone")
	}
}

// WriteManifest over an older pair: at each interruption the folder is sound
// with one of the two manifests or has none, and writing it again mends it.
func TestManifestOverAnOlderPair(t *testing.T) {
	interrupted := 0
	for point := 1; ; point++ {
		dir, m := small(t)
		m.Server = "18.1"
		cut := newPowerCut(t, dir)
		for name, content := range files(t, dir) {
			cut.now[name] = &inode{content}
		}
		cut.durable = cut.now
		cut.next = func(n int, _ string) error {
			if n == point {
				return errKilled
			}
			return nil
		}
		err := WriteManifest(&Disk{Fail: cut.fail}, dir, m)
		if err == nil {
			break
		}
		interrupted++
		if point%2 == 0 {
			cut.cut()
		}
		_, there := files(t, dir)[ManifestName]
		for _, f := range faultsOf(t, dir) {
			if there && !strings.Contains(f, "never complete") {
				t.Errorf("interrupted at %d: a manifest, and %s", point, f)
			}
		}
		if err := WriteManifest(nil, dir, m); err != nil || len(faultsOf(t, dir)) > 0 {
			t.Errorf("interrupted at %d, written again: %v, %q", point, err, faultsOf(t, dir))
		}
	}
	if interrupted < 22 {
		t.Errorf("%d interruptions; two files have 11 each", interrupted)
	}
}
