package cli

import (
	"slices"
	"strconv"
	"strings"
)

// unknown says that a word is none of the valid ones, and offers the nearest.
func unknown(what, word string, valid []string) error {
	if near, ok := nearest(word, valid); ok {
		return usagef("unknown %s %q: did you mean %s?", what, word, near)
	}
	if len(valid) == 0 {
		return usagef("unknown %s %q: there is none to choose", what, word)
	}
	return usagef("unknown %s %q: choose one of %s", what, word, strings.Join(valid, ", "))
}

// nearest returns the valid word with the fewest edits away from word, the
// first of equals. A word that begins a valid one is near, too; more than a
// third of the letters wrong (and more than two) is not.
func nearest(word string, valid []string) (string, bool) {
	word = strings.ToLower(word)
	best, fewest := "", max(2, len(word)/3)+1
	for _, v := range valid {
		n := edits(word, strings.ToLower(v))
		if len(word) > 1 && strings.HasPrefix(strings.ToLower(v), word) {
			n = min(n, 1)
		}
		// Two of two letters changed is another word.
		if n < fewest && n < len(v) {
			best, fewest = v, n
		}
	}
	return best, best != ""
}

// edits counts the letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func edits(a, b string) int {
	from, to := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row := make([]int, len(to)+1)
		row[0] = i
		for j := 1; j <= len(to); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ(from[i-1], to[j-1]))
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(to)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}

// unknownVersion offers the version that is nearest by number: 19 is nearer to
// 18 than to 16, though each is one letter away.
func unknownVersion(word string, valid []string) error {
	major, minor, ok := versionNumbers(word)
	if !ok {
		return unknown("PostgreSQL version", word, valid)
	}
	exact := strings.Contains(word, ".")
	distance := func(v string) int {
		a, b, _ := versionNumbers(v)
		return 1000*abs(a-major) + abs(b-minor)
	}
	near := slices.DeleteFunc(slices.Clone(valid), func(v string) bool { return strings.Contains(v, ".") != exact })
	if len(near) == 0 {
		return unknown("PostgreSQL version", word, valid)
	}
	best := slices.MinFunc(near, func(a, b string) int { return distance(a) - distance(b) })
	return usagef("unknown PostgreSQL version %q: the nearest is %s (of %s)", word, best, strings.Join(valid, ", "))
}

func versionNumbers(word string) (major, minor int, ok bool) {
	first, second, dotted := strings.Cut(word, ".")
	major, err := strconv.Atoi(first)
	if err != nil || !dotted {
		return major, 0, err == nil
	}
	minor, err = strconv.Atoi(second)
	return major, minor, err == nil
}

func abs(n int) int { return max(n, -n) }
