package runner

import (
	"fmt"
	"strings"

	"deletecost/fixtures"
)

// Statement returns a statement of fixtures/sql/<experiment>/<name>.sql without
// its comment lines and with words replaced: pairs of a word and what stands
// for it. For a file that does not exist it returns words that a server refuses
// and that name it.
func Statement(experiment, name string, pairs ...string) string {
	text, err := fixtures.SQL.ReadFile("sql/" + experiment + "/" + name + ".sql")
	if err != nil {
		return fmt.Sprintf("no statement %q of %q", name, experiment)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(strings.Join(lines, "")))
}
