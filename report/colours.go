package report

import (
	"errors"
	"regexp"
	"strings"
)

// colours are the values of the names in page/style.css.
type colours map[string]string

var declaration = regexp.MustCompile(`--([a-z0-9-]+):\s*([^;]+);`)

// readColours reads the two sets that page/style.css begins with. The dark one
// is given after the words that ask for it.
func readColours() (light, dark colours, err error) {
	css, err := files.ReadFile("page/style.css")
	if err != nil {
		return nil, nil, err
	}
	first, rest, found := strings.Cut(string(css), "prefers-color-scheme: dark")
	second, _, ended := strings.Cut(rest, "/*")
	if !found || !ended {
		return nil, nil, errors.New("page/style.css does not begin with its colours")
	}
	return declared(first), declared(second), nil
}

func declared(css string) colours {
	all := colours{}
	for _, m := range declaration.FindAllStringSubmatch(css, -1) {
		all[m[1]] = m[2]
	}
	return all
}

var reference = regexp.MustCompile(`^var\(--([a-z0-9-]+)\)$`)

// of is the value that a reference to a name stands for; without values it and
// all else stay as they are.
func (c colours) of(value string) string {
	if m := reference.FindStringSubmatch(value); m != nil && c[m[1]] != "" {
		return c[m[1]]
	}
	return value
}
