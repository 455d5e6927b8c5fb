package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/gzip"
)

// Restore creates table into (name or schema.name) with the columns that an
// archive has of a table, fills it from the parts and compares the digest, in
// one transaction. Types of the table's own, such as enums, must exist. There
// are no constraints or indexes. An archive that does not match its manifest is
// ErrArchive.
func Restore(ctx context.Context, conn *pgx.Conn, dir string, table *TableManifest, into string) error {
	name, err := splitName(into)
	if err != nil {
		return err
	}
	if table.Digest == noDigest {
		return fmt.Errorf("restoring table %q: it was written by method %s, whose JSON does not bring every value back", table.Name, MethodSource)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("restoring table %q: %w", table.Name, err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // does nothing after the commit
	if err := pin(ctx, conn, "LOCAL"); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, createTable("TABLE", name.Sanitize(), table.Columns)); err != nil {
		return fmt.Errorf("creating table %q: %w", into, err)
	}
	if err := fill(ctx, conn, dir, table, name.Sanitize()); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func createTable(kind, name string, columns []Column) string {
	var all []string
	for _, c := range columns {
		all = append(all, pgx.Identifier{c.Name}.Sanitize()+" "+c.Type)
	}
	return fmt.Sprintf("CREATE %s %s (%s)", kind, name, strings.Join(all, ", "))
}

// fill streams the parts of a table into one that exists.
func fill(ctx context.Context, conn *pgx.Conn, dir string, table *TableManifest, into string) error {
	format, err := newLineFormat(table)
	if err != nil {
		return err
	}
	r := &restorer{dir: dir, parts: table.Parts, format: format}
	_, err = conn.PgConn().CopyFrom(ctx, r, fmt.Sprintf("COPY %s (%s) FROM STDIN", into, columnList(table.Columns)))
	r.end()
	switch {
	case r.err != nil:
		return fmt.Errorf("%w: restoring table %q: part %q: %w", ErrArchive, table.Name, r.name, r.err)
	case err != nil:
		return fmt.Errorf("restoring table %q: %w", table.Name, err)
	case r.digest.rows != table.Rows || r.digest.String() != table.Digest:
		return fmt.Errorf("%w: restoring table %q: its %d rows have another digest than the manifest's %d", ErrArchive, table.Name, r.digest.rows, table.Rows)
	}
	return nil
}

// A restorer reads the parts of a table as one stream of COPY's text format.
type restorer struct {
	dir    string
	parts  []Part // still to be opened
	format *lineFormat
	digest rowDigest

	name  string
	file  *partFile
	zip   *gzip.Reader
	lines *bufio.Reader

	line, rows []byte // rows: what Read has not handed out
	next       int    // in rows
	err        error  // of the archive

	mu    sync.Mutex // pgconn may leave its reading goroutine behind when the connection breaks
	ended bool
}

// end waits for a Read that is under way; later ones do nothing.
func (r *restorer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.close()
}

// Read hands out the next rows.
func (r *restorer) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return 0, io.ErrClosedPipe
	}
	if r.next == len(r.rows) {
		r.rows, r.next = r.rows[:0], 0
		for len(r.rows) < batchBytes {
			err := r.add()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				r.err = err
				return 0, err
			}
		}
	}
	if len(r.rows) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rows[r.next:])
	r.next += n
	return n, nil
}

// add decodes one more line; the error is io.EOF after the last.
func (r *restorer) add() error {
	for {
		if r.lines == nil {
			if len(r.parts) == 0 {
				return io.EOF
			}
			if err := r.open(); err != nil {
				return err
			}
		}
		err := r.readLine()
		if err == nil {
			break
		}
		if !errors.Is(err, io.EOF) || len(r.line) > 0 {
			return errors.Join(errors.New("it cannot be read to its end"), err)
		}
		r.close()
	}
	from := len(r.rows)
	var err error
	if r.rows, err = r.format.appendRow(r.rows, r.line); err != nil {
		return fmt.Errorf("line %d of the table %w", r.digest.rows+1, err)
	}
	r.digest.add(r.rows[from:])
	r.rows = append(r.rows, '\n')
	return nil
}

// readLine reads a line of any length into r.line, without its newline.
func (r *restorer) readLine() error {
	r.line = r.line[:0]
	for {
		some, err := r.lines.ReadSlice('\n')
		r.line = append(r.line, some...)
		if err == nil {
			r.line = r.line[:len(r.line)-1]
			return nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (r *restorer) open() (err error) {
	part := r.parts[0]
	r.name, r.parts = part.File, r.parts[1:]
	if r.file, err = openPart(r.dir, part); err != nil {
		return err
	}
	if r.zip == nil {
		r.zip = new(gzip.Reader)
	}
	if err := r.zip.Reset(r.file); err != nil {
		return err
	}
	r.lines = bufio.NewReaderSize(r.zip, batchBytes)
	return nil
}

func (r *restorer) close() {
	if r.file != nil {
		r.file.close()
	}
	r.file, r.lines = nil, nil
}
