package bulkdelete

import (
	"slices"
	"strings"
	"testing"
)

// Lines as the servers wrote them, of the table deleted from above with
// autovacuum beside it. The reports of 16 and 17 end alike.
const (
	log16 = "2026-11-30 19:03:13.128 UTC [9833] DEBUG:  table \"t_large\": suspending truncate due to conflicting lock request\n" +
		"2026-11-30 19:03:13.128 UTC [9833] CONTEXT:  while truncating relation \"public.t_large\" to 8960 blocks\n" +
		"2026-11-30 19:03:13.140 UTC [9833] DEBUG:  table \"t_large\": truncated 8960 to 2912 pages\n" +
		"2026-11-30 19:03:13.169 UTC [9833] DEBUG:  table \"t_large\": truncated 2912 to 0 pages\n" +
		"2026-11-30 19:03:13.169 UTC [77] DEBUG:  table \"other\": stopping truncate due to conflicting lock request\n" +
		"2026-11-30 19:03:13.170 UTC [9833] LOG:  automatic vacuum of table \"copy0.public.t_large\": index scans: 0\n" +
		"\tpages: 142858 removed, 0 remain, 142858 scanned (100.00% of total)\n" +
		"\ttuples: 1000000 removed, 0 remain, 0 are dead but not yet removable\n" +
		"\tremovable cutoff: 739, which was 12 XIDs old when operation ended\n" +
		"\tindex scan not needed: 142858 pages from table (100.00% of total) had 1000000 dead item identifiers removed\n" +
		"\tbuffer usage: 248999 hits, 179700 misses, 91522 dirtied\n" +
		"\tWAL usage: 428597 records, 0 full page images, 27144152 bytes\n" +
		"\tsystem usage: CPU: user: 0.40 s, system: 1.02 s, elapsed: 4.82 s\n" +
		"2026-11-30 19:03:13.170 UTC [9833] DEBUG:  analyzing \"public.t_large\"\n"
	log17 = "2026-11-30 19:03:31.822 UTC [10092] DEBUG:  table \"t_large\": truncated 142858 to 0 pages\n" +
		"2026-11-30 19:03:31.822 UTC [10092] LOG:  automatic vacuum of table \"copy0.public.t_large\": index scans: 0\n" +
		"\tpages: 142858 removed, 0 remain, 142858 scanned (100.00% of total)\n" +
		"\ttuples: 1000000 removed, 0 remain, 0 are dead but not yet removable\n" +
		"\tsystem usage: CPU: user: 0.52 s, system: 0.93 s, elapsed: 3.24 s\n" +
		"2026-11-30 19:03:31.823 UTC [10092] DEBUG:  analyzing \"public.t_large\"\n"
	log18 = "2026-11-30 18:58:38.173 UTC [6922] LOG:  automatic vacuum of table \"copy0.public.t_large\": index scans: 0\n" +
		"\tpages: 4149 removed, 138709 remain, 142858 scanned (100.00% of total), 0 eagerly scanned\n" +
		"\ttuples: 999818 removed, 182 remain, 0 are dead but not yet removable\n" +
		"\ttuples missed: 182 dead from 26 pages not removed due to cleanup lock contention\n" +
		"\tvisibility map: 142832 pages set all-visible, 142832 pages set all-frozen (0 were all-visible)\n" +
		"\tsystem usage: CPU: user: 0.45 s, system: 0.51 s, elapsed: 1.55 s\n" +
		"2026-11-30 18:58:39.978 UTC [6933] LOG:  automatic vacuum of table \"copy0.public.t_large\": index scans: 0\n" +
		"\tpages: 138709 removed, 0 remain, 123 scanned (0.09% of total), 0 eagerly scanned\n" +
		"\ttuples: 182 removed, 0 remain, 0 are dead but not yet removable\n" +
		"\tsystem usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 0.05 s\n" +
		"2026-11-30 18:58:39.980 UTC [6933] LOG:  automatic analyze of table \"copy0.public.t_large\"\n"
)

func TestReadReport(t *testing.T) {
	for version, c := range map[string]struct {
		log                string
		want               vacuumReport
		outcome, reasonHas string
	}{
		"16": {log16, vacuumReport{pagesRemoved: 142858, pagesScanned: 142858, rowsRemoved: 1000000, seconds: 4.82, cuts: 2, yields: 1}, "truncated to nothing in 2 cuts", "no page was left in use; it gave way to waiting sessions, once"},
		"17": {log17, vacuumReport{pagesRemoved: 142858, pagesScanned: 142858, rowsRemoved: 1000000, seconds: 3.24, cuts: 1}, "truncated to nothing", "no page was left in use"},
		"18": {log18, vacuumReport{pagesRemoved: 4149, pagesRemain: 138709, pagesScanned: 142858, rowsRemoved: 999818, rowsRemain: 182, rowsMissed: 182, pagesMissed: 26, seconds: 1.55}, "truncated in part", "passed over pages, 26 in all"},
	} {
		got, found := readReport(strings.Split(c.log, "\n"), "copy0.public.t_large")
		if !found || got != c.want {
			t.Errorf("%s: got %+v (%t), want %+v", version, got, found, c.want)
		}
		if got.outcome() != c.outcome || !strings.Contains(got.reason(), c.reasonHas) {
			t.Errorf("%s: %q because %q, want %q because %q", version, got.outcome(), got.reason(), c.outcome, c.reasonHas)
		}
		if _, found := readReport(strings.Split(c.log, "\n"), "copy1.public.t_large"); found {
			t.Errorf("%s: found the report of another database", version)
		}
	}
}

// A report whose last line may be still to come is not yet one.
func TestReportNotYetWhole(t *testing.T) {
	lines := strings.Split(log17, "\n")
	if r, found := readReport(lines[:4], "copy0.public.t_large"); found {
		t.Errorf("took half a report for a whole one: %+v", r)
	}
	if r, found := readReport(lines[:5], "copy0.public.t_large"); !found || r.seconds != 3.24 {
		t.Errorf("a report whose last line is the log's: %+v (%t), want it whole with 3.24 s", r, found)
	}
	cut := append(slices.Clone(lines[:3]), strings.Split(log16, "\n")...)
	if r, found := readReport(cut, "copy0.public.t_large"); found {
		t.Errorf("took the end of another report for that of the first: %+v", r)
	}
}

func TestReasonsOfASize(t *testing.T) {
	for _, c := range []struct {
		report       vacuumReport
		outcome, has string
	}{
		{vacuumReport{pagesRemoved: 100, pagesRemain: 900, lockRefused: true}, "truncated in part", "kept it from the lock for truncating"},
		{vacuumReport{pagesRemain: 1000, rowsRemain: 7000, rowsHeld: 7000}, "not truncated", "snapshot"},
		{vacuumReport{pagesRemain: 1000, rowsMissed: 7, pagesMissed: 2, lockRefused: true}, "not truncated", "behind the last of them; other sessions kept it from the lock"},
		{vacuumReport{pagesRemain: 1000, rowsRemain: 1}, "not truncated", "rows are left"},
		{vacuumReport{pagesRemain: 900}, "not truncated", "1,000 or a sixteenth"},
	} {
		if got := c.report.outcome(); got != c.outcome || !strings.Contains(c.report.reason(), c.has) {
			t.Errorf("%+v: %q because %q, want %q because of %q", c.report, got, c.report.reason(), c.outcome, c.has)
		}
	}
}
