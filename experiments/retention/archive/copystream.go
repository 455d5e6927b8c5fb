package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// batchBytes is how many bytes of lines go to the compressor at a time.
const batchBytes = 64 << 10

// A partStream turns the rows of one COPY into the parts of a table. It holds a
// batch of lines, never more than that and the longest row.
type partStream struct {
	table    *TableManifest
	code     *transcoder
	writer   *PartWriter
	partRows int64
	pass     func(row int64) error // of the pace
	written  func(Part)

	digest rowDigest
	lines  []byte
	inPart int64 // rows of the part, with those that are still in lines
}

// copyTable streams one table.
func (r *run) copyTable(ctx context.Context, conn *pgx.Conn, m *TableManifest, how []form, v *verifier, paced *pace) error {
	code, err := newTranscoder(m.Columns, how)
	if err != nil {
		return err
	}
	writer, err := NewPartWriter(r.disk, r.cfg.Dir, r.cfg.Level)
	if err != nil {
		return err
	}
	table := *m // without parts, for verifyPart
	p := &partStream{table: m, code: code, writer: writer, partRows: int64(r.cfg.PartRows)}
	p.pass = func(row int64) error { return paced.pass(ctx, row) }
	p.written = func(part Part) { v.queue <- writtenPart{table, part} }
	split := &rowSplitter{each: p.row}
	name := (&relation{schema: m.Schema, name: m.Name}).ident()
	tag, err := conn.PgConn().CopyTo(ctx, split, copyOut(name, m.Columns))
	if err != nil {
		return fmt.Errorf("streaming table %s: %w", name, err)
	}
	if err := p.finish(split); err != nil {
		return fmt.Errorf("streaming table %s: %w", name, err)
	}
	if m.Rows != tag.RowsAffected() {
		return fmt.Errorf("streaming table %s: %d rows came, the server sent %d", name, m.Rows, tag.RowsAffected())
	}
	return conn.Close(ctx)
}

// row takes one row of the stream.
func (p *partStream) row(row []byte) (err error) {
	if p.inPart == 0 {
		if err := p.writer.Begin(PartName(p.table.Schema, p.table.Name, len(p.table.Parts)+1), p.table); err != nil {
			return err
		}
	}
	p.digest.add(row)
	if p.lines, err = p.code.appendLine(p.lines, row); err != nil {
		return fmt.Errorf("row %d: %w", p.digest.rows, err)
	}
	p.inPart++
	if err := p.pass(p.digest.rows); err != nil {
		return err
	}
	switch {
	case p.inPart == p.partRows:
		return p.cut()
	case len(p.lines) >= batchBytes:
		return p.flush()
	}
	return nil
}

// flush hands the batch on.
func (p *partStream) flush() error {
	_, err := p.writer.Write(p.lines)
	p.lines = p.lines[:0]
	if cap(p.lines) > 16*batchBytes { // one long row is no reason to keep its room
		p.lines = nil
	}
	return err
}

// cut ends a part.
func (p *partStream) cut() error {
	if err := p.flush(); err != nil {
		return err
	}
	part, err := p.writer.Finish()
	if err != nil {
		return err
	}
	p.inPart = 0
	p.table.Parts = append(p.table.Parts, part)
	p.table.Rows += part.Rows
	p.table.RawBytes += part.RawBytes
	p.written(part)
	return nil
}

// finish ends the last part and the table.
func (p *partStream) finish(split *rowSplitter) error {
	if err := split.finish(); err != nil {
		return err
	}
	if p.inPart > 0 {
		if err := p.cut(); err != nil {
			return err
		}
	}
	if p.table.Rows != p.digest.rows {
		return fmt.Errorf("%d rows were written, %d came", p.table.Rows, p.digest.rows)
	}
	p.table.Digest = p.digest.String()
	return nil
}
