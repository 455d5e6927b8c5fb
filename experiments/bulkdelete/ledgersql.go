package bulkdelete

import "strings"

// ledgerSQL reads the statements of a file, without its comments and with
// words in them replaced by others, in pairs.
func ledgerSQL(name string, pairs ...string) []string {
	var lines []string
	for _, line := range strings.Split(sqlFile("ledger_"+name), "\n") {
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
