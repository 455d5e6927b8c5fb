package report

import "strings"

// emOf is how wide a character is in a wide font without serifs, as a part of its size, so that it has room in any: as
// page/still.js has it.
func emOf(r rune) float64 {
	switch {
	case strings.ContainsRune("ijlI.,:;'|!()[]", r):
		return 0.39
	case strings.ContainsRune("mwMW%@×", r):
		return 0.96
	case r >= 'A' && r <= 'Z':
		return 0.72
	case r == ' ':
		return 0.33
	case r < 0x2e80:
		return 0.615
	}
	return 1
}

// monospaced is how wide every character of a monospaced font is.
func monospaced(rune) float64 { return 0.62 }

// lettered cuts a text into lines that have room in a width, at blanks, and within a word that is longer than a line.
// All lengths are pixels.
func lettered(text string, size, room float64, em func(rune) float64) []string {
	var lines []string
	var line []rune
	used, blank := 0.0, -1 // blank is where the line may end
	for _, r := range text {
		width := em(r) * size
		if r == ' ' && used+width > room {
			lines, line = append(lines, string(line)), nil
			used, blank = 0, -1
			continue
		}
		for used+width > room && len(line) > 0 {
			rest := []rune{}
			if blank > 0 {
				rest = append(rest, line[blank+1:]...)
				line = line[:blank]
			}
			lines, line = append(lines, string(line)), rest
			used, blank = 0, -1
			for _, kept := range line {
				used += em(kept) * size
			}
		}
		if r == ' ' && len(line) > 0 {
			blank = len(line)
		}
		if r != ' ' || len(line) > 0 {
			line, used = append(line, r), used+width
		}
	}
	if len(line) > 0 {
		lines = append(lines, string(line))
	}
	return lines
}
