package bulkdelete

import "deletecost/runner"

// cellOf points at a value in the first row that has the given words. Where
// there is none, the report says that the row is not there.
func cellOf(t *runner.Table, value string, where map[string]string) runner.Ref {
	return t.Ref(rowOf(t, where), value)
}

// rowOf is the place of that row, -1 when there is none.
func rowOf(t *runner.Table, where map[string]string) int {
	if row, ok := t.Find(where); ok {
		return row
	}
	return -1
}
