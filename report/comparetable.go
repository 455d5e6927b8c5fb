package report

import (
	"fmt"
	"slices"
	"strings"

	"deletecost/runner"
)

// sideTables prints the tables that the shown folders share, the rows with the
// same words together.
func sideTables(c *runner.Comparison, heads []groupHead, e runner.ComparedExperiment) []table {
	folders := slices.DeleteFunc(foldersShown(c, heads), func(s shownFolder) bool { return e.Outlines[s.member] == nil })
	if len(folders) == 0 {
		return nil
	}
	var all []table
	for _, outline := range e.Outlines[folders[0].member].Tables {
		if outline.Raw {
			continue
		}
		m := merged{keys: keys(e.Outlines[folders[0].member].Figures)}
		for _, s := range folders {
			m.add(s.name, c.Members[s.member].Folder.Tables(e.Name)[outline.Name])
		}
		if len(m.names) > 1 || len(folders) == 1 {
			all = append(all, m.table(e.Name))
		}
	}
	return all
}

// merged is a table with the rows of several folders.
type merged struct {
	keys    map[string]bool // columns that come first
	names   []string        // of the folders
	tables  []*runner.Table
	columns []runner.Column
}

// add takes a folder's table when it has the columns of the first.
func (m *merged) add(name string, t *runner.Table) {
	if t == nil || m.columns != nil && !slices.EqualFunc(t.Columns, m.columns, sameColumn) {
		return
	}
	m.names, m.tables, m.columns = append(m.names, name), append(m.tables, t), t.Columns
}

func sameColumn(a, b runner.Column) bool {
	return a.Name == b.Name && a.Unit == b.Unit && a.Text == b.Text
}

// mergedRow is a row of one of the tables.
type mergedRow struct{ table, row int }

func (m *merged) table(experiment string) table {
	first := m.tables[0]
	places, leading := order(m.columns, m.keys)
	out := table{File: experiment + "/" + first.Name + ".csv", Title: first.Title, Note: first.Note, Leads: true}
	for _, t := range m.tables {
		for _, reason := range t.Reasons {
			if !slices.Contains(out.Reasons, reason) {
				out.Reasons = append(out.Reasons, reason)
			}
		}
	}
	for _, j := range places {
		c := m.columns[j]
		out.Columns = append(out.Columns, column{Name: c.Name, Unit: headerUnit(c.Unit), Meaning: c.Meaning, Number: !c.Text})
	}
	out.Columns = slices.Insert(out.Columns, leading, column{Name: "folder"})
	rows := m.rows(places[:leading])
	for _, at := range rows[:min(len(rows), longest)] {
		out.Rows = append(out.Rows, m.row(at, places, leading))
	}
	if len(rows) > longest {
		out.Shown = fmt.Sprintf("The first %s rows of %s.", grouped(longest), grouped(len(rows)))
	}
	return out
}

func (m *merged) row(at mergedRow, places []int, leading int) []cell {
	var row []cell
	for _, j := range places {
		row = append(row, newCell(m.tables[at.table].Rows[at.row][j], m.columns[j]))
	}
	return slices.Insert(row, leading, cell{Text: m.names[at.table]})
}

// rows orders those of all tables: each row is followed by the rows of the
// others that have the same keys, as often as they come.
func (m *merged) rows(keys []int) []mergedRow {
	at := map[string][]mergedRow{}
	var order []string
	for k, t := range m.tables {
		seen := map[string]int{}
		for i, row := range t.Rows {
			var words []string
			for _, j := range keys {
				words = append(words, row[j])
			}
			key := strings.Join(words, "\x00")
			seen[key]++
			key += fmt.Sprint("\x00", seen[key])
			if at[key] == nil {
				order = append(order, key)
			}
			at[key] = append(at[key], mergedRow{k, i})
		}
	}
	var all []mergedRow
	for _, key := range order {
		all = append(all, at[key]...)
	}
	return all
}
