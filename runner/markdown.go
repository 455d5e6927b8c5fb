package runner

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxSummary is the size of summary.md in bytes: an issue takes 65,536
// characters, and a CI step's summary 1 MiB.
const maxSummary = 60_000

// maxMarkdown is how much of one text summary.md repeats, in bytes.
const maxMarkdown = 2000

// summaryMarkdown is the run for a CI step's summary or an issue.
func summaryMarkdown(f *Folder, all []Outcome) []byte {
	lines := []string{fmt.Sprintf("## deletecost: PostgreSQL %s, scale %s", markdown(f.Record.PostgreSQL.Version), markdown(string(f.Record.Scale)))}
	for _, o := range f.Record.Experiments {
		lines = append(lines, "", "### "+markdown(o.Title), "", markdown(o.Question), "")
		for _, s := range f.answers(o) {
			lines = append(lines, "- "+markdown(s))
		}
		if o.Error != "" {
			lines = append(lines, "", "**This experiment did not end:** "+markdown(o.Error))
		}
	}
	lines = append(lines, "", Count(all), "", "| claim | published | measured | verdict |", "| --- | --- | --- | --- |")
	for _, o := range all {
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", markdown(o.Claim.ID), markdown(o.Claim.PublishedText()), markdown(o.Brief()), o.Verdict))
	}
	return []byte(strings.Join(atMost(maxSummary, lines), "\n") + "\n")
}

// atMost keeps the first lines that fit, and says so when they are not all.
func atMost(size int, lines []string) []string {
	const note = "This is cut: %d more lines of it are in summary.txt and claims.csv."
	size -= len(note) + 20 // of a number and of the blank line before it
	for i, line := range lines {
		if size -= len(line) + 1; size < 0 {
			return append(lines[:i:i], "", fmt.Sprintf(note, len(lines)-i))
		}
	}
	return lines
}

// markdownEscapes take their meaning from characters. A backslash serves for
// what the parser reads; what GitHub looks for in the text that comes out of it
// (mentions, references, addresses) needs something between.
var markdownEscapes = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_",
	"`", "\\`", "[", "\\[", "]", "\\]", "~", "\\~", "$", "\\$", "@", "@"+nothing, "#", "\\#"+nothing, "://", ":"+nothing+"//")

// nothing is a character without width.
const nothing = "&#8203;"

var (
	blockStart    = regexp.MustCompile(`^(\d*)([-+=.)])([^\d]|$)`) // of a list or of a rule
	bareAddress   = regexp.MustCompile(`(?i)\bwww\.`)
	bareReference = regexp.MustCompile(`(?i)\bgh-`)
	emoji         = regexp.MustCompile(`:[A-Za-z0-9+\\_-]+:`)
)

// markdown makes one line of a text that GitHub shows as it is: no markup, no
// mention, no reference, no link.
func markdown(text string) string {
	text = markdownEscapes.Replace(cut(OneLine(text), maxMarkdown))
	text = blockStart.ReplaceAllString(text, `$1\$2$3`)
	for _, r := range []*regexp.Regexp{bareAddress, bareReference, emoji} {
		text = r.ReplaceAllStringFunc(text, func(word string) string { return word[:1] + nothing + word[1:] })
	}
	return text
}

// cut ends a text that is too long between two characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
