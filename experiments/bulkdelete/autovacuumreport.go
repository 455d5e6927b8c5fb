package bulkdelete

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A vacuumReport is what one run of autovacuum says of a table in the server's
// log: its report, and its messages on truncating, which are of level DEBUG2.
type vacuumReport struct {
	pagesRemoved, pagesRemain, pagesScanned int64 // pages of the heap
	rowsRemoved, rowsRemain                 int64 // rows; dead ones that stay are among the latter
	rowsHeld                                int64 // dead, but a snapshot may still see them
	rowsMissed, pagesMissed                 int64 // dead on pages whose cleanup lock was not to be had
	seconds                                 float64
	cuts                                    int64 // times that the table was made shorter
	yields                                  int64 // times that truncation was suspended for a waiting session
	lockRefused                             bool  // the lock for truncating was not to be had for 5 s
}

// Lines of the log of 16, 17 and 18. What follows the first line of a report
// begins with a tab; 18 adds to the line of pages.
var (
	reportLine   = regexp.MustCompile(`\[(\d+)\] LOG:  automatic (?:aggressive )?vacuum (?:to prevent wraparound )?of table "([^"]+)":`)
	pagesLine    = regexp.MustCompile(`^\tpages: (\d+) removed, (\d+) remain, (\d+) scanned`)
	tuplesLine   = regexp.MustCompile(`^\ttuples: (\d+) removed, (\d+) remain, (\d+) are dead but not yet removable`)
	missedLine   = regexp.MustCompile(`^\ttuples missed: (\d+) dead from (\d+) pages not removed due to cleanup lock contention`)
	elapsedLine  = regexp.MustCompile(`^\tsystem usage: .* elapsed: ([0-9.]+) s`)
	truncateLine = regexp.MustCompile(`\[(\d+)\] DEBUG:  table "[^"]+": (truncated \d+ to \d+ pages|suspending truncate|stopping truncate)`)
)

// readReport finds the first report on a table, named database.schema.table,
// in a log. Its last line is that of the system's usage.
func readReport(lines []string, table string) (r vacuumReport, found bool) {
	for i, line := range lines {
		head := reportLine.FindStringSubmatch(line)
		if head == nil || head[2] != table {
			continue
		}
		for _, more := range lines[i+1:] {
			if strings.Contains(more, "LOG:  automatic ") {
				break // another report: the end of this one is lost
			}
			r.line(more)
			if elapsedLine.MatchString(more) {
				r.truncation(lines[:i], head[1])
				return r, true
			}
		}
		return vacuumReport{}, false
	}
	return r, false
}

// line takes one line of the report.
func (r *vacuumReport) line(text string) {
	take := func(pattern *regexp.Regexp, into ...*int64) {
		for i, digits := range pattern.FindStringSubmatch(text) {
			if i > 0 {
				*into[i-1], _ = strconv.ParseInt(digits, 10, 64) // digits only
			}
		}
	}
	take(pagesLine, &r.pagesRemoved, &r.pagesRemain, &r.pagesScanned)
	take(tuplesLine, &r.rowsRemoved, &r.rowsRemain, &r.rowsHeld)
	take(missedLine, &r.rowsMissed, &r.pagesMissed)
	if m := elapsedLine.FindStringSubmatch(text); m != nil {
		r.seconds, _ = strconv.ParseFloat(m[1], 64)
	}
}

// truncation counts what the same process said before. A worker serves one
// database, and its other tables are too small to be truncated.
func (r *vacuumReport) truncation(before []string, pid string) {
	for _, line := range before {
		m := truncateLine.FindStringSubmatch(line)
		switch {
		case m == nil || m[1] != pid:
		case strings.HasPrefix(m[2], "truncated"):
			r.cuts++
		case strings.HasPrefix(m[2], "suspending"):
			r.yields++
		default:
			r.lockRefused = true
		}
	}
}

// outcome says in a few words what became of the table.
func (r vacuumReport) outcome() string {
	switch {
	case r.pagesRemain == 0 && r.cuts > 1:
		return fmt.Sprintf("truncated to nothing in %d cuts", r.cuts)
	case r.pagesRemain == 0:
		return "truncated to nothing"
	case r.pagesRemoved == 0:
		return "not truncated"
	}
	return "truncated in part"
}

// reason is why it came so, from the report alone; there may be several.
func (r vacuumReport) reason() string {
	var all []string
	for _, c := range []struct {
		is   bool
		text string
	}{
		{r.pagesMissed > 0, fmt.Sprintf("for want of a cleanup lock it passed over pages, %d in all, and it truncates only what lies behind the last of them", r.pagesMissed)},
		{r.rowsHeld > 0, "a snapshot that was held may still see dead rows"},
		{r.lockRefused, "other sessions kept it from the lock for truncating for 5 s"},
		{r.yields > 0, "it gave way to waiting sessions, " + times(r.yields)},
	} {
		if c.is {
			all = append(all, c.text)
		}
	}
	switch {
	case r.pagesRemain == 0:
		all = append([]string{"no page was left in use"}, all...)
	case len(all) == 0 && r.rowsRemain > 0:
		all = append(all, "rows are left on the last pages")
	case len(all) == 0:
		all = append(all, "too few empty pages at the end: it takes 1,000 or a sixteenth of the table")
	}
	return strings.Join(all, "; ")
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
