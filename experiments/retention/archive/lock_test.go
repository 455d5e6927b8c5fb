package archive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// await waits until a query answers true.
func (b *bed) await(sql string, args ...any) {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !value[bool](b, sql, args...); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("never true: %s", sql)
		}
	}
}

const pendingSQL = "SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = $1::text::regclass AND inhdetachpending)"

// hold begins a transaction in a session of its own; end rolls it back.
func (b *bed) hold(sql string) (end func()) {
	b.t.Helper()
	conn := b.connect()
	for _, s := range []string{"BEGIN", sql} {
		if _, err := conn.Exec(b.t.Context(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
	return func() { finish(b, conn, "ROLLBACK") }
}

func finish(b *bed, conn *pgx.Conn, how string) {
	b.t.Helper()
	if _, err := conn.Exec(context.Background(), how); err != nil {
		b.t.Error(err)
	}
}

// A detach that is cancelled while it waits for a reader is pending; DROP would
// be accepted then. The next Run finishes it.
func TestDetachCancelledAndFinished(t *testing.T) {
	b := newBed(t, "17")
	b.months(250, "a", "b")
	end := b.hold("SELECT count(*) FROM b")
	cfg := b.config("a", "b")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Run(ctx, cfg)
		done <- err
	}()
	b.await(pendingSQL, "b_old")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	b.await("SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE%' AND state = 'active')")
	end()
	if !value[bool](b, pendingSQL, "b_old") {
		t.Fatal("the detach is not pending")
	}
	if out := b.mustRun(cfg); !out.Resumed || out.Rows != 500 {
		t.Errorf("run again: %+v", out)
	}
}

func TestAnotherPendingDetachIsNamed(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a")
	end := b.hold("SELECT count(*) FROM a")
	b.exec("SET lock_timeout = '100ms'")
	if _, err := b.conn.Exec(t.Context(), "ALTER TABLE a DETACH PARTITION a_now CONCURRENTLY"); err == nil {
		t.Fatal("the reader did not stop the detach")
	}
	end()
	wantRefused(b, b.config("a"), "a_old", ErrPreflight, `DETACH PARTITION "public"."a_now" FINALIZE`)
}

// A lock that somebody holds is an error that says so, at each place where one
// is waited for.
func TestLockHeld(t *testing.T) {
	b := newBed(t, "17")
	for _, c := range []struct{ point, held, says string }{
		{"before detach", "SELECT count(*) FROM a", "detaching public.a_old CONCURRENTLY"},
		{"before lock", "INSERT INTO a_old VALUES (1000, '2001-03-07')", "share mode"},
		{"before exclusive", "SELECT count(*) FROM a_old", "to drop it"},
	} {
		b.exec("DROP TABLE IF EXISTS a, a_old")
		b.months(20, "a")
		cfg := b.config("a")
		cfg.LockTimeout = 100 * time.Millisecond
		end := func() {}
		cfg.Fail = at(c.point, func() { end = b.hold(c.held) })
		_, err := Run(t.Context(), cfg)
		if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", c.point, err, c.says)
		}
		if !b.exists("a_old") || value[int](b, "SELECT count(*) FROM a_old") != 20 {
			t.Errorf("%s: the month is gone", c.point)
		}
		end()
		cfg.Fail = nil
		if out := b.mustRun(cfg); out.Rows != 20 {
			t.Errorf("%s: run again: %d rows", c.point, out.Rows)
		}
	}
}

// A snapshot from before a rewrite sees nothing of the table after it.
func TestSnapshotIsTakenAfterTheLock(t *testing.T) {
	b := newBed(t, "17")
	for _, m := range []mistake{"", noLock} {
		b.exec("DROP TABLE IF EXISTS a, a_old")
		b.months(1000, "a")
		cfg := b.config("a")
		cfg.Seed(m)
		cfg.Restore = false
		rewriter := b.connect()
		cfg.Fail = at("before lock", func() {
			finish(b, rewriter, "BEGIN")
			finish(b, rewriter, "ALTER TABLE a_old ALTER COLUMN body TYPE varchar(50)")
			go func() {
				defer finish(b, rewriter, "COMMIT")
				for range 2000 { // until the run waits for this lock
					var waits bool
					rewriter.QueryRow(context.Background(), "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'a_old'::regclass AND NOT granted)").Scan(&waits)
					if waits {
						return
					}
					time.Sleep(5 * time.Millisecond)
				}
			}()
		})
		out, err := Run(t.Context(), cfg)
		if m == "" && (err != nil || out.Rows != 1000) {
			t.Errorf("%d rows, error %v, want all 1000", out.Rows, err)
		}
		if m == noLock && (!errors.Is(err, ErrChanged) || out.Rows != 0) {
			t.Errorf("without the lock: %d rows, error %v, want 0 and the recount's", out.Rows, err)
		}
	}
}

// Two runs at once do not meet in the folder.
func TestSecondRunWaits(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a")
	cfg := b.config("a")
	cfg.LockTimeout = 100 * time.Millisecond
	second := cfg
	cfg.Fail = at("before export", func() {
		if _, err := Run(t.Context(), second); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "another archive run") {
			t.Errorf("error %v", err)
		}
	})
	b.mustRun(cfg)
}
