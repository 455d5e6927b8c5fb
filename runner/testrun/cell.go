package testrun

import (
	"strconv"
	"testing"

	"deletecost/runner"
)

// Text is the cell, as the CSV has it, of the first row whose columns have the
// given words. A table without such a row or without the column ends the test.
func Text(t *testing.T, table *runner.Table, column string, where map[string]string) string {
	t.Helper()
	row, ok := table.Find(where)
	if !ok {
		t.Fatalf("%s has no row with %v", table.Name, where)
	}
	c, err := runner.Tables{table.Name: table}.Cell(table.Ref(row, column))
	if err != nil {
		t.Fatal(err)
	}
	return c.Text
}

// Number is the cell that Text reads, in its column's unit. A cell that holds
// no number, as n/a, ends the test.
func Number(t *testing.T, table *runner.Table, column string, where map[string]string) float64 {
	t.Helper()
	text := Text(t, table, column, where)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("%s of %v in %s is %q, want a number", column, where, table.Name, text)
	}
	return n
}
