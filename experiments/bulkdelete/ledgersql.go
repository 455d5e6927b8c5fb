package bulkdelete

import (
	"fmt"
	"strings"

	"deletecost/fixtures"
)

// ledgerSQL reads the statements of a file, without its comments and with
// words in them replaced by others, in pairs.
func ledgerSQL(name string, pairs ...string) []string {
	text, err := fixtures.SQL.ReadFile("sql/bulkdelete/ledger_" + name + ".sql")
	if err != nil {
		return []string{fmt.Sprintf("no statement %q", name)} // the server refuses it with its name
	}
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	var all []string
	for _, sql := range strings.Split(strings.NewReplacer(pairs...).Replace(strings.Join(lines, "\n")), ";") {
		if sql = strings.TrimSpace(sql); sql != "" {
			all = append(all, sql)
		}
	}
	return all
}
