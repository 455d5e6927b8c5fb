package bulkdelete

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// A rowPayload is what each row holds besides its number.
type rowPayload struct{ name, sql string }

// rowPayloads are both of 1,024 bytes. Digits of base 64 out of a hash have no
// stretch that comes again, and there is no method of WAL compression that
// makes less of digits alone.
var rowPayloads = []rowPayload{
	{"repeat('Pg', 512)", sourcePayload},
	{"digests in base 64", `(SELECT left(string_agg(translate(encode(sha512((i || '/' || n)::bytea), 'base64'), E'\n', ''), ''), 1024) FROM generate_series(1, 12) AS n)`},
}

// compressions are the methods that PostgreSQL knows.
var compressions = []string{"off", "pglz", "lz4", "zstd"}

var payloadsTable = runner.TableSpec{Name: "payloads", Title: "WAL of a DELETE directly after a CHECKPOINT, by wal_compression and by what the rows hold",
	Note: "full_page_writes is on, set after the start at which the server's settings were read (each line has it as it was), so that each page is written to WAL as an image once. wal_compression compresses images and nothing else. Both payloads are of 1,024 bytes. Each DELETE ran twice on fresh loads, both are shown: what an image compresses to depends also on the numbers of transactions in it.",
	Columns: []runner.Column{
		{Name: "payload", Text: true}, {Name: "wal_compression", Text: true}, {Name: "full_page_writes", Text: true}, {Name: "rows", Unit: "rows", Meaning: "deleted"},
		{Name: "wal_bytes", Unit: "bytes", Meaning: "WAL of the DELETE"}, {Name: "wal_again_bytes", Unit: "bytes", Meaning: "of the second DELETE"}, {Name: "full_page_images"}, {Name: "wal_bytes_a_row", Unit: "bytes", Meaning: "WAL of the DELETE a row"},
		{Name: "seconds", Unit: "s", Meaning: "the first of two"}, {Name: "again_s", Unit: "s", Meaning: "the second"}}}

// payloads deletes rows of both kinds with each method that the build has.
func (a *asides) payloads(ctx context.Context) error {
	conn, err := a.on(ctx, plainServer)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := setFullPageWrites(ctx, conn, "on"); err != nil {
		return err
	}
	var built []string
	if err := conn.QueryRow(ctx, "SELECT enumvals FROM pg_settings WHERE name = 'wal_compression'").Scan(&built); err != nil {
		return fmt.Errorf("asking for the methods of wal_compression: %w", err)
	}
	step := a.lab.Step("wal_compression", len(rowPayloads)*len(compressions))
	defer step.Done()
	t := a.out.Table(payloadsTable)
	for _, p := range rowPayloads {
		for _, method := range compressions {
			step.Advance(1)
			if !slices.Contains(built, method) {
				none := runner.NA{Reason: "this build of PostgreSQL has pglz only: pg_settings does not offer lz4 and zstd for wal_compression"}
				t.Add(p.name, method, none, none, none, none, none, none, none, none)
				continue
			}
			if err := a.payload(ctx, conn, p, method, t); err != nil {
				return fmt.Errorf("deleting %s with wal_compression %s: %w", p.name, method, err)
			}
		}
	}
	a.payloadFigure()
	a.concludePayloads(t)
	return nil
}

// payload deletes all rows of two fresh loads.
func (a *asides) payload(ctx context.Context, conn *pgx.Conn, p rowPayload, method string, t *runner.Table) error {
	rows := a.lab.Knob("payload_rows")
	defer a.lab.Watch("payloads: " + p.name + ", " + method)()
	var done [2]cost
	for i := range done {
		err := load(ctx, conn, "t_payload", rows, p.sql)
		if err == nil {
			err = postgres.Execute(ctx, conn, "SET wal_compression = "+method)
		}
		if err != nil {
			return err
		}
		if done[i], err = measureRows(ctx, conn, "DELETE FROM t_payload", int64(rows)); err != nil {
			return err
		}
		if err := postgres.Execute(ctx, conn, "RESET wal_compression", "DROP TABLE t_payload"); err != nil {
			return err
		}
	}
	images, err := settingOf(ctx, conn, "full_page_writes")
	if err != nil {
		return err
	}
	c := done[0]
	t.Add(p.name, method, images, rows, c.walBytes, done[1].walBytes, c.walImages, float64(c.walBytes)/float64(rows), c.seconds, done[1].seconds)
	return nil
}

func (a *asides) payloadFigure() {
	a.out.Figure(runner.Figure{Name: "payloads", Title: "WAL of a deleted row after a CHECKPOINT, by wal_compression",
		HowToRead: "The source's rows are one pair of letters over and over, which any method makes next to nothing of; rows without repetition show what wal_compression does otherwise.",
		Layers:    []runner.Layer{{Mark: runner.Bar, Table: "payloads", X: "wal_compression", Y: "wal_bytes_a_row", By: "payload"}}})
}

func (a *asides) concludePayloads(t *runner.Table) {
	at := func(p rowPayload, method string) runner.Ref {
		return t.RefWhere("wal_bytes_a_row", map[string]string{"payload": p.name, "wal_compression": method})
	}
	a.out.Conclude(runner.Say("wal_compression = pglz takes a deleted row after a CHECKPOINT from {} of WAL to {} with the source's payload, and from {} to {} with one that does not compress.",
		at(rowPayloads[0], "off"), at(rowPayloads[0], "pglz"), at(rowPayloads[1], "off"), at(rowPayloads[1], "pglz")))
}
