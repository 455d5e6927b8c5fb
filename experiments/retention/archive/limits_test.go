package archive

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A name of 63 bytes that are none of a-z, 0-9 and _ takes three bytes each in
// the name of a file: with a schema of as many it is too long for one.
func TestLongNames(t *testing.T) {
	b := newBed(t, "17")
	long := strings.Repeat("月", 21) // 63 bytes, the most that PostgreSQL takes
	odd := strings.Repeat(`/.\%é`, 10) + "."
	for _, schema := range []string{"public", long} {
		for _, table := range []string{long, odd} {
			if schema != "public" {
				b.exec("CREATE SCHEMA IF NOT EXISTS " + pgx.Identifier{schema}.Sanitize())
			}
			b.exec("SET search_path = " + pgx.Identifier{schema}.Sanitize())
			b.exec("DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS " + pgx.Identifier{table}.Sanitize())
			b.months(150, "a")
			b.exec("ALTER TABLE a_old RENAME TO " + pgx.Identifier{table}.Sanitize())
			cfg := b.config()
			cfg.Tables, cfg.Parents = []string{schema + "." + table}, []string{schema + ".a"}
			if schema == "public" {
				b.mustRun(cfg)
				continue
			}
			_, err := Run(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), "rename the table") || !b.exists(pgx.Identifier{schema, table}.Sanitize()) {
				t.Errorf("%s.%s: %v, want that the name is refused", schema, table, err)
			}
			if n := value[int](b, "SELECT count(*) FROM pg_inherits"); n < 2 {
				t.Errorf("%d partitions are attached", n)
			}
		}
	}
}

// The server takes whole milliseconds; 0 would be no bound at all.
func TestLockTimeoutsThatAreNone(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a")
	for _, timeout := range []time.Duration{time.Microsecond, -time.Second, 1 << 62} {
		cfg := b.config("a")
		cfg.LockTimeout = timeout
		wantRefused(b, cfg, "a_old", ErrPreflight, "choose 1ms to ")
	}
	cfg := b.config("a")
	cfg.PartRows = MaxPartRows + 1
	wantRefused(b, cfg, "a_old", ErrPreflight, "choose 1 to ")
	cfg = b.config("a")
	cfg.Dir = filepath.Join(b.t.TempDir(), "file")
	put(t, filepath.Dir(cfg.Dir), "file", []byte("of somebody else"))
	wantRefused(b, cfg, "a_old", ErrForeign, "choose another")
}

// A server that leaves out damaged pages would make an archive without them.
func TestServerThatLeavesRowsOut(t *testing.T) {
	b := newBed(t, "17")
	b.months(20, "a")
	for _, setting := range []string{"zero_damaged_pages", "ignore_checksum_failure"} {
		cfg := b.config("a")
		connect := cfg.Conn
		cfg.Conn = func(ctx context.Context) (*pgx.Conn, error) {
			conn, err := connect(ctx)
			if err == nil {
				_, err = conn.Exec(ctx, "SET "+setting+" = on")
			}
			return conn, err
		}
		wantRefused(b, cfg, "a_old", ErrPreflight, "turn both off")
	}
}

// EUC_JP has two codes for some characters that UTF-8 has one of: one of them
// comes back as the other. Compared, that stops the run; uncompared it would be
// lost, so it is refused.
func TestEncodingThatDoesNotComeBack(t *testing.T) {
	b := newBed(t, "17")
	b.exec("CREATE DATABASE euc ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
	config := b.server.ConnConfig()
	config.Database = "euc"
	connect := func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, config.Copy()) }
	conn, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	b.conn = conn
	b.months(20, "a")
	cfg := b.config("a")
	cfg.Conn, cfg.Restore = connect, false
	wantRefused(b, cfg, "a_old", ErrPreflight, "turn Restore on")
	cfg.Restore = true
	b.mustRun(cfg)

	b.exec("DROP TABLE a")
	b.months(20, "a")
	b.exec(notOneToOne)
	n := value[int](b, "SELECT count(*) FROM a_old WHERE id > 20")
	if n == 0 {
		t.Error("all codes of EUC_JP come back from UTF-8")
	}
	cfg.Dir = b.config("a").Dir
	if _, err := Run(t.Context(), cfg); !errors.Is(err, ErrArchive) || !b.exists("a_old") {
		t.Errorf("%v, want that the comparison stops the run", err)
	}
}

// notOneToOne inserts characters that do not come back, of two of the four rows
// of the code that have some.
const notOneToOne = `DO $$
DECLARE lead int; code bytea; back bytea;
BEGIN
 FOREACH lead IN ARRAY ARRAY[162, 173] LOOP FOR trail IN 161..254 LOOP FOR long IN 0..1 LOOP
  code := decode(repeat('8f', long) || to_hex(lead) || to_hex(trail), 'hex');
  BEGIN
   back := convert(convert(code, 'EUC_JP', 'UTF8'), 'UTF8', 'EUC_JP');
   IF back <> code THEN
    INSERT INTO a_old VALUES (1000 * lead + trail, '2001-03-05', convert_from(code, 'EUC_JP'));
   END IF;
  EXCEPTION WHEN untranslatable_character OR character_not_in_repertoire THEN
  END;
 END LOOP; END LOOP; END LOOP;
END $$`
