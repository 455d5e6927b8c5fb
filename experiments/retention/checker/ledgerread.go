package checker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// row names a row: the table's name in the ledgers and the key.
type row struct{ table, id string }

// promises is what ledgers say: of each row that a writer meant to commit,
// whether the server acknowledged it.
type promises map[row]bool

// readLedgers reads all ledgers. A torn line, which only the end of a writer or
// a read at the same time leaves, counts as not written; a whole line that is
// none of ours is an error.
func readLedgers(paths []string) (promises, error) {
	all := promises{}
	for _, path := range paths {
		if err := all.read(path); err != nil {
			return nil, fmt.Errorf("reading ledger %q: %w", path, err)
		}
	}
	return all, nil
}

// read adds the lines of one ledger.
func (p promises) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return nil // line is empty or torn
		}
		if err != nil {
			return err
		}
		if err := p.add(strings.TrimSuffix(line, "\n")); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// add takes one line.
func (p promises) add(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 5 || fields[4] != "." {
		if torn(line) {
			return nil
		}
		return fmt.Errorf("%q is no line of a ledger", line)
	}
	if _, err := strconv.ParseInt(fields[3], 10, 64); err != nil {
		return fmt.Errorf("%q has no time", line)
	}
	at := row{fields[1], fields[2]}
	acknowledged, known := p[at]
	switch fields[0] {
	case intentWord:
		if known {
			return fmt.Errorf("%s %s was meant before: one id is committed once", at.table, at.id)
		}
		p[at] = false
	case ackWord:
		if !known || acknowledged {
			return fmt.Errorf("%s %s is acknowledged, and was not meant before or is acknowledged already", at.table, at.id)
		}
		p[at] = true
	default:
		return fmt.Errorf("%q is neither an intent nor an acknowledgement", line)
	}
	return nil
}

// torn tells whether a line is the beginning of one of ours: a writer's end cut
// it, and the next writer ended it.
func torn(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return !strings.HasSuffix(line, " .") && (strings.HasPrefix(intentWord, word) || strings.HasPrefix(ackWord, word))
}
