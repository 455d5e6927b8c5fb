package treedelete

import (
	"fmt"
	"strings"

	"deletecost/fixtures"
)

// statement returns a statement of fixtures without its comments and with words
// replaced: pairs of a word such as ":document" and what stands for it.
func statement(name string, pairs ...string) string {
	text, err := fixtures.SQL.ReadFile("sql/treedelete/" + name + ".sql")
	if err != nil {
		return fmt.Sprintf("no statement %q", name) // the server refuses it with its name
	}
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(strings.Join(lines, "\n")))
}
