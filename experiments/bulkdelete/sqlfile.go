package bulkdelete

import (
	"fmt"

	"deletecost/fixtures"
)

// sqlFile is the text of a file of fixtures, by its name without the ending.
func sqlFile(name string) string {
	text, err := fixtures.SQL.ReadFile("sql/bulkdelete/" + name + ".sql")
	if err != nil {
		return fmt.Sprintf("no statement %q", name) // the server refuses it with its name
	}
	return string(text)
}
