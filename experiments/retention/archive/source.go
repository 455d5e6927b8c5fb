package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// scanTables is the published method: one table after the other, one part at a
// time, and when all are written every file is read again for its size and
// SHA-256.
func (r *run) scanTables(ctx context.Context, s *source, m *Manifest) error {
	conn, err := r.join(ctx, s)
	if err != nil {
		return err
	}
	err = r.step("export", func() error {
		for i := range m.Tables {
			if err := r.scanTable(ctx, conn, &m.Tables[i]); err != nil {
				return fmt.Errorf("exporting table %q: %w", m.Tables[i].Name, err)
			}
		}
		return conn.Close(ctx)
	})
	if err != nil {
		return err
	}
	return r.step("verify", func() error {
		if r.cfg.mistake == dropEarly {
			return nil
		}
		return faultError(r.cfg.Dir, Rehash(r.cfg.Dir, m))
	})
}

// scanTable writes the parts of one table in the order of its key.
func (r *run) scanTable(ctx context.Context, conn *pgx.Conn, m *TableManifest) error {
	for i := range m.Columns {
		m.Columns[i].Carry = CarryJSON // what row_to_json makes of it, at its own risk
	}
	m.Digest = noDigest
	writer := NewSourcePartWriter(r.disk, r.cfg.Dir)
	after := ""
	for number := 1; ; number++ {
		rows, err := r.scanRange(ctx, conn, m, number > 1, after)
		if err != nil {
			return err
		}
		part, last, err := scanPart(rows, writer, m, number)
		if err != nil || part.Rows == 0 {
			return err
		}
		m.Parts = append(m.Parts, part)
		m.Rows += part.Rows
		m.RawBytes += part.RawBytes
		after = last
	}
}

// scanRange begins the scan of the next part.
func (r *run) scanRange(ctx context.Context, conn *pgx.Conn, m *TableManifest, later bool, after string) (pgx.Rows, error) {
	key := pgx.Identifier{r.cfg.Key}.Sanitize()
	table := pgx.Identifier{m.Schema, m.Name}.Sanitize()
	where, args := "", []any{r.cfg.PartRows}
	if later {
		where, args = fmt.Sprintf("WHERE t.%s > $2::uuid", key), append(args, after)
	}
	query := fmt.Sprintf("SELECT t.%s::text, row_to_json(t)::text FROM ONLY %s t %s ORDER BY t.%s LIMIT $1", key, table, where, key)
	return conn.Query(ctx, query, args...)
}

// scanPart writes the rows of one scan as a part; a part of no rows is none.
func scanPart(rows pgx.Rows, writer *PartWriter, m *TableManifest, number int) (part Part, last string, err error) {
	defer rows.Close()
	begun := false
	var key, line []byte
	for rows.Next() {
		if !begun {
			if err := writer.Begin(PartName(m.Schema, m.Name, number), m); err != nil {
				return part, "", err
			}
			begun = true
		}
		values := rows.RawValues()
		key, line = append(key[:0], values[0]...), append(append(line[:0], values[1]...), '\n')
		if _, err := writer.Write(line); err != nil {
			return part, "", err
		}
	}
	if err := rows.Err(); err != nil || !begun {
		return part, "", err
	}
	part, err = writer.Finish()
	return part, string(key), err
}
