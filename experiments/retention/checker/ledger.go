package checker

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Ledger is one writer's record, in a file outside the server, of the rows
// that it meant to commit and of those that the server said are committed.
//
// Each line is one write to a file that is open for appending, and is not
// synced: what was written survives the kill of the writing process and of the
// server, since the kernel has it, and not a crash of the machine. A Ledger is
// for one goroutine.
type Ledger struct {
	file *os.File
}

// The words that a line of a ledger begins with.
const (
	intentWord = "intent"
	ackWord    = "ack"
)

// OpenLedger opens the ledger at a path, or makes it. A last line that an
// earlier writer's end cut short is ended first, so that it cannot run into
// the next one.
func OpenLedger(path string) (*Ledger, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening ledger %q: %w", path, err)
	}
	l := &Ledger{file: file}
	if err := l.endLine(); err != nil {
		return nil, errors.Join(fmt.Errorf("ending the last line of ledger %q: %w", path, err), file.Close())
	}
	return l, nil
}

// endLine adds the line break that a torn last line lacks.
func (l *Ledger) endLine() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := l.file.ReadAt(last, info.Size()-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	_, err = l.file.WriteString("\n")
	return err
}

// Intent is to be called before the commit of a row is asked for. The table is
// a Table.Name, the id the row's key as the server prints it; neither has white
// space. The row must not be sent when Intent fails.
func (l *Ledger) Intent(table, id string, at time.Time) error {
	return l.line(intentWord, table, id, at)
}

// Ack is to be called once the server has answered the commit with success, and
// not otherwise. What fails later stays unknown.
func (l *Ledger) Ack(table, id string, at time.Time) error {
	return l.line(ackWord, table, id, at)
}

// Close closes the file.
func (l *Ledger) Close() error { return l.file.Close() }

// line writes one line: the word, the table, the id, the time in nanoseconds
// since 1970, and a full stop, without which a line is torn.
func (l *Ledger) line(word, table, id string, at time.Time) error {
	for _, field := range []string{table, id} {
		if field == "" || strings.ContainsAny(field, " \t\r\n") {
			return fmt.Errorf("writing %q to ledger %q: a name or id with white space, or none", field, l.file.Name())
		}
	}
	text := word + " " + table + " " + id + " " + strconv.FormatInt(at.UnixNano(), 10) + " .\n"
	if _, err := l.file.WriteString(text); err != nil {
		return fmt.Errorf("writing to ledger %q: %w", l.file.Name(), err)
	}
	return nil
}
