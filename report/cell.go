package report

import (
	"strings"
	"unicode/utf8"

	"deletecost/runner"
)

// cell is one value of a table.
type cell struct {
	Text   string
	Raw    string // as in the CSV, "" when Text says the same
	Number bool
	NA     bool
	Digest bool // Text is the beginning of Raw
}

// Lengths of text in cells, in characters.
const (
	digestStart = 12 // shown of a digest
	digestLeast = 32 // of hexadecimal digits, to be taken for a digest
	sentence    = 48 // more take several lines
	longWord    = 24 // a longer word may be broken
	shortPiece  = 12 // the least that is left before a break
)

func newCell(text string, c runner.Column) cell {
	switch {
	case text == runner.NotAvailable:
		return cell{Text: text, NA: true, Number: !c.Text}
	case c.Text && isDigest(text):
		return cell{Text: text[:digestStart] + "…", Raw: text, Digest: true}
	case c.Text:
		return cell{Text: text}
	}
	unit := c.Unit
	if headerUnit(unit) != "" {
		unit = ""
	}
	out := cell{Text: runner.Humanize(text, unit), Number: true}
	if out.Text != text {
		out.Raw = text
	}
	return out
}

// isDigest says whether a text looks like a digest.
func isDigest(text string) bool {
	return len(text) >= digestLeast && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// headerUnit is the unit that stands once in the header; the others are scaled
// for each cell and stand there.
func headerUnit(unit string) string {
	switch unit {
	case "s", "bytes", "x", "%":
		return ""
	}
	return unit
}

// Class is the cell's class in page/style.css, "" for short words.
func (c cell) Class() string {
	switch {
	case c.Number:
		return "number"
	case utf8.RuneCountInString(c.Text) > sentence:
		return "long"
	}
	return ""
}

// Pieces are the parts of a text between which a line may end besides at
// blanks: long names of files and relations have none.
func (c cell) Pieces() []string {
	var all []string
	part := ""
	for _, word := range strings.SplitAfter(c.Text, " ") {
		long := utf8.RuneCountInString(word) > longWord
		for _, stem := range strings.SplitAfter(word, "_") {
			if part += stem; long && strings.HasSuffix(stem, "_") && utf8.RuneCountInString(part) >= shortPiece {
				all, part = append(all, part), ""
			}
		}
	}
	return append(all, part)
}
