package bulkdelete

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner"
	"deletecost/runner/postgres"
)

// passMemories are the settings of maintenance_work_mem that are compared: the
// least that 16 takes, and one that holds every dead row.
var passMemories = []string{"1MB", "64MB"}

// tidBytes is what 16 keeps of a dead row: a block number and an offset
// (ItemPointerData). 17 and 18 keep a bitmap a page (documentation,
// release notes of 17).
const tidBytes = 6

var passesTable = runner.TableSpec{Name: "index_passes", Title: "Passes of VACUUM over an index, by maintenance_work_mem",
	Note: "A table of one integer with an index, all rows deleted. Each pass reads the whole index. 16 keeps 6 bytes for each dead row and goes over the indexes when they fill maintenance_work_mem; 17 and later keep a bitmap for each page. VACUUM (VERBOSE) reports the passes. full_page_writes is off. Each VACUUM ran twice on fresh rows; counts are of the first time, and a warning says where the second differs.",
	Columns: []runner.Column{
		{Name: "maintenance_work_mem", Text: true}, {Name: "dead_rows", Unit: "rows"}, {Name: "passes", Meaning: "index scans, as VACUUM (VERBOSE) reports"},
		{Name: "passes_of_6_bytes", Meaning: "by arithmetic, if each dead row took 6 bytes"},
		{Name: "seconds", Unit: "s", Meaning: "VACUUM, the first of two"}, {Name: "again_s", Unit: "s", Meaning: "the second"}, {Name: "index_bytes", Unit: "bytes", Meaning: "the index, read once a pass"},
		{Name: "buffers", Unit: "buffers", Meaning: "hit and read by VACUUM"}, {Name: "wal_bytes", Unit: "bytes", Meaning: "WAL of VACUUM"}}}

// indexPasses vacuums the same dead rows with little memory and with enough.
func (a *asides) indexPasses(ctx context.Context) error {
	reported := 0
	conn, err := a.onNotices(ctx, plainServer, func(text string) { reported = max(reported, indexScans(text)) })
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := setFullPageWrites(ctx, conn, "off"); err != nil {
		return err
	}
	step := a.lab.Step("index passes of VACUUM", len(passMemories))
	defer step.Done()
	rows := a.lab.Knob("pass_rows")
	t := a.out.Table(passesTable)
	for _, memory := range passMemories {
		step.Advance(1)
		var done [2]passRun
		for i := range done {
			reported = -1
			stop := a.lab.Watch("index passes of VACUUM")
			done[i], err = vacuumWith(ctx, conn, memory, rows)
			if stop(); err != nil {
				return fmt.Errorf("vacuuming with maintenance_work_mem %s: %w", memory, err)
			}
			if done[i].passes = reported; reported < 0 {
				return fmt.Errorf("vacuuming with maintenance_work_mem %s: VERBOSE told of no index scans", memory)
			}
		}
		a.comparePasses(memory, done[0], done[1])
		d := done[0]
		t.Add(memory, rows, d.passes, passesOf(rows, memory), d.seconds, done[1].seconds, d.index, d.hit+d.read, d.walBytes)
	}
	a.passFigure()
	a.concludePasses(t)
	return nil
}

// A passRun is one VACUUM.
type passRun struct {
	cost
	index  int64 // bytes of the index before it
	passes int   // as it reports
}

// comparePasses warns when what is exact was other the second time.
func (a *asides) comparePasses(memory string, first, again passRun) {
	a.compareRepeats("index_passes: VACUUM with maintenance_work_mem "+memory, first.cost, again.cost)
	if first.passes != again.passes {
		a.out.Warn("index_passes: VACUUM with maintenance_work_mem %s: two times differ: %d and %d passes", memory, first.passes, again.passes)
	}
}

// vacuumWith makes dead rows and vacuums them.
func vacuumWith(ctx context.Context, conn *pgx.Conn, memory string, rows int) (r passRun, err error) {
	if err = postgres.Execute(ctx, conn, "SET maintenance_work_mem = '64MB'", "CREATE TABLE t_pass (id integer)",
		fmt.Sprintf("INSERT INTO t_pass SELECT generate_series(1, %d)", rows), "CREATE INDEX t_pass_id ON t_pass (id)", "DELETE FROM t_pass",
		"CHECKPOINT", "SET maintenance_work_mem = '"+memory+"'"); err != nil {
		return r, err
	}
	if err = conn.QueryRow(ctx, "SELECT pg_relation_size('t_pass_id')").Scan(&r.index); err != nil {
		return r, fmt.Errorf("reading the size of the index: %w", err)
	}
	if r.cost, err = measure(ctx, conn, "VACUUM (VERBOSE) t_pass"); err != nil {
		return r, err
	}
	return r, postgres.Execute(ctx, conn, "DROP TABLE t_pass", "RESET maintenance_work_mem")
}

// onNotices is a session that hands on what the server remarks.
func (a *asides) onNotices(ctx context.Context, s asideServer, told func(string)) (*pgx.Conn, error) {
	first, err := a.on(ctx, s) // makes the extensions
	if err != nil {
		return nil, err
	}
	defer first.Close(context.WithoutCancel(ctx))
	config := a.running[s.name].ConnConfig()
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { told(n.Message) }
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL %q: %w", s.name, err)
	}
	return conn, nil
}

// scansOf is the first line of VACUUM's report, in every version.
var scansOf = regexp.MustCompile(`finished vacuuming ".*\.t_pass": index scans: (\d+)`)

// indexScans reads VACUUM's report; -1 when the text is not that of the table.
func indexScans(text string) int {
	found := scansOf.FindStringSubmatch(text)
	if found == nil {
		return -1
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return -1
	}
	return n
}

// pageTids is how many dead rows a page may have at the most, 8-kB pages:
// MaxHeapTuplesPerPage. 16 goes over the indexes when that many more do not fit.
const pageTids = 291

// passesOf is how often 16 goes over the indexes. A page has 226 rows of one
// integer: 24 bytes of head, 4 of data that take 8 when aligned, and a line
// pointer of 4, of 8,192 less 24.
func passesOf(rows int, memory string) int {
	megabytes, err := strconv.Atoi(memory[:len(memory)-len("MB")])
	if err != nil {
		return 0
	}
	const rowsAPage = (8192 - 24) / (24 + 8 + 4)
	room := megabytes<<20/tidBytes - pageTids
	pagesAPass := room/rowsAPage + 1
	return (rows + pagesAPass*rowsAPage - 1) / (pagesAPass * rowsAPage)
}
