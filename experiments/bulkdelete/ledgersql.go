package bulkdelete

import (
	"strings"

	"deletecost/runner"
)

// ledgerSQL reads the statements of a file, with words in them replaced by
// others, in pairs.
func ledgerSQL(name string, pairs ...string) []string {
	var all []string
	for _, sql := range strings.Split(runner.Statement("bulkdelete", "ledger_"+name, pairs...), ";") {
		if sql = strings.TrimSpace(sql); sql != "" {
			all = append(all, sql)
		}
	}
	return all
}
