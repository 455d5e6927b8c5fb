package treedelete

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres"
)

// A way is how a client deletes a tree.
type way struct {
	name    string // in tables
	cascade bool   // it needs foreign keys that cascade
	// sent and flights are the statements that the client sends and the round trips
	// that it waits for: arithmetic, held against what is counted.
	sent, flights func(tree) int64
	// open prepares the way on a session.
	open func(context.Context, *session, tree) (deletion, error)
}

// A deletion deletes one tree on one session, as often as it is rolled back.
type deletion struct {
	ready func() // before the clock starts; nil when there is nothing to do
	// do is timed and returns the rows that the server answered, or untold.
	do func(context.Context) (int64, error)
}

// untold is returned by a deletion whose answer does not tell all rows.
const untold = -1

// The ways, as the report calls them.
const (
	rowPrepared  = "row by row, prepared"
	rowSimple    = "row by row, simple"
	rowPipelined = "row by row, pipelined"
	anyArray     = "= ANY, one a level"
	setBased     = "set-based, one a level, prepared"
	setSimple    = "set-based, one a level, simple"
	oneCTE       = "one statement with CTEs"
	onCascade    = "ON DELETE CASCADE"
	loopStatic   = "PL/pgSQL loop, static"
	loopExecute  = "PL/pgSQL loop, EXECUTE"
)

func one(tree) int64        { return 1 }
func three(tree) int64      { return 3 }
func everyRow(t tree) int64 { return t.rows() }

// ways are all of them, those that wait for the most round trips first.
func ways() []way {
	return []way{
		{name: rowPrepared, sent: everyRow, flights: everyRow, open: openRowPrepared},
		{name: rowSimple, sent: everyRow, flights: everyRow, open: openRowSimple},
		{name: rowPipelined, sent: everyRow, flights: one, open: openRowPipelined},
		{name: anyArray, sent: three, flights: three, open: openAny},
		{name: setBased, sent: three, flights: three, open: openSet},
		{name: setSimple, sent: three, flights: three, open: openSetSimple},
		{name: oneCTE, sent: one, flights: one, open: openCTE},
		{name: onCascade, cascade: true, sent: one, flights: one, open: openCascade},
		{name: loopStatic, sent: one, flights: one, open: openLoop("loop_static")},
		{name: loopExecute, sent: one, flights: one, open: openLoop("loop_execute")},
	}
}

// wayNamed finds a way by its name.
func wayNamed(name string) way {
	for _, w := range ways() {
		if w.name == name {
			return w
		}
	}
	return way{}
}

// prepared is a deletion by prepared statements, each with the parameters of
// its executions, one round trip an execution.
func prepared(ctx context.Context, s *session, files []string, parameters [][][]byte) (deletion, error) {
	for _, file := range files {
		if err := s.prepare(ctx, file); err != nil {
			return deletion{}, err
		}
	}
	do := func(ctx context.Context) (rows int64, err error) {
		for i, file := range files {
			for k, p := range parameters[i] {
				n, err := postgres.ExecPrepared(ctx, s.conn, file, p)
				if err != nil {
					return rows, fmt.Errorf("executing %q with %s: %w", file, p, err)
				}
				rows += int64(n)
				if err := s.pause(k + 1); err != nil {
					return rows, err
				}
			}
		}
		return rows, nil
	}
	return deletion{do: do}, nil
}

// pauseEvery is how many statements go by between two looks at whether the run
// was interrupted.
const pauseEvery = 100

// pause passes on that so many statements of a level are done, and ends a long
// deletion of a run that was interrupted.
func (s *session) pause(done int) error {
	if done%pauseEvery != 0 {
		return nil
	}
	if s.advance != nil {
		s.advance(pauseEvery)
	}
	return s.ended()
}

var rowFiles = []string{"row_attribute", "row_block", "row_document"}

func openRowPrepared(ctx context.Context, s *session, t tree) (deletion, error) {
	ids, err := s.ids(ctx, t)
	if err != nil {
		return deletion{}, err
	}
	parameters := make([][][]byte, len(ids))
	for level := range ids {
		for _, id := range ids[level] {
			parameters[level] = append(parameters[level], []byte(strconv.FormatInt(id, 10)))
		}
	}
	return prepared(ctx, s, rowFiles, parameters)
}

func openRowSimple(ctx context.Context, s *session, t tree) (deletion, error) {
	ids, err := s.ids(ctx, t)
	if err != nil {
		return deletion{}, err
	}
	var texts []string
	for level, file := range rowFiles {
		for _, id := range ids[level] {
			texts = append(texts, statementWith(file, id))
		}
	}
	return oneByOne(s, texts), nil
}

// oneByOne is a deletion by texts, each of which is planned with its values.
func oneByOne(s *session, texts []string) deletion {
	return deletion{do: func(ctx context.Context) (rows int64, err error) {
		for i, text := range texts {
			n, err := s.simple(ctx, text)
			if err == nil {
				err = s.pause(i + 1)
			}
			if err != nil {
				return rows, err
			}
			rows += n
		}
		return rows, nil
	}}
}

// openRowPipelined sends every statement before it reads the first answer.
func openRowPipelined(ctx context.Context, s *session, t tree) (deletion, error) {
	ids, err := s.ids(ctx, t)
	if err != nil {
		return deletion{}, err
	}
	for _, file := range rowFiles {
		if err := s.prepare(ctx, file); err != nil {
			return deletion{}, err
		}
	}
	var batch *pgx.Batch
	ready := func() {
		batch = &pgx.Batch{}
		for level, file := range rowFiles {
			for _, id := range ids[level] {
				batch.Queue(file, id)
			}
		}
	}
	do := func(ctx context.Context) (rows int64, err error) {
		results := s.conn.SendBatch(ctx, batch)
		for range batch.Len() {
			tag, err := results.Exec()
			if err != nil {
				return rows, fmt.Errorf("executing a pipeline: %w", errors.Join(err, results.Close()))
			}
			rows += tag.RowsAffected()
		}
		return rows, results.Close()
	}
	return deletion{ready: ready, do: do}, nil
}

func openAny(ctx context.Context, s *session, t tree) (deletion, error) {
	ids, err := s.ids(ctx, t)
	if err != nil {
		return deletion{}, err
	}
	var parameters [][][]byte
	for _, level := range ids {
		parameters = append(parameters, [][]byte{arrayOf(level)})
	}
	return prepared(ctx, s, anyFiles[:], parameters)
}

// anyFiles are the statements with an array of ids, level by level.
var anyFiles = [3]string{"any_attributes", "any_blocks", "any_documents"}

func openSet(ctx context.Context, s *session, t tree) (deletion, error) {
	document := [][]byte{[]byte(strconv.FormatInt(t.document, 10))}
	return prepared(ctx, s, setFiles, [][][]byte{document, document, document})
}

// openSetSimple sends the three statements as text, as a client does that
// prepares nothing: the planner knows the document.
func openSetSimple(_ context.Context, s *session, t tree) (deletion, error) {
	var texts []string
	for _, file := range setFiles {
		texts = append(texts, statementWith(file, t.document))
	}
	return oneByOne(s, texts), nil
}

// setFiles are the three statements of the set-based form, in their order.
var setFiles = []string{"set_attributes", "set_blocks", "row_document"}

// openCTE deletes in one statement, whose answer is the number of rows.
func openCTE(ctx context.Context, s *session, t tree) (deletion, error) {
	const name = "set_cte"
	if err := s.prepare(ctx, name); err != nil {
		return deletion{}, err
	}
	document := []byte(strconv.FormatInt(t.document, 10))
	do := func(ctx context.Context) (rows int64, err error) {
		result := s.conn.PgConn().ExecPrepared(ctx, name, [][]byte{document}, nil, nil).Read()
		if result.Err != nil {
			return 0, fmt.Errorf("executing %q: %w", name, result.Err)
		}
		if len(result.Rows) != 1 {
			return 0, fmt.Errorf("executing %q: %d rows of an answer, expected one", name, len(result.Rows))
		}
		return strconv.ParseInt(string(result.Rows[0][0]), 10, 64)
	}
	return deletion{do: do}, nil
}

// openCascade deletes the document; the foreign keys delete the rest, which the
// server does not count in its answer.
func openCascade(ctx context.Context, s *session, t tree) (deletion, error) {
	d, err := prepared(ctx, s, []string{"row_document"}, [][][]byte{{[]byte(strconv.FormatInt(t.document, 10))}})
	return withoutCount(d), err
}

// openLoop executes a DO block.
func openLoop(file string) func(context.Context, *session, tree) (deletion, error) {
	return func(_ context.Context, s *session, t tree) (deletion, error) {
		text := statement(file, ":document", strconv.FormatInt(t.document, 10))
		return withoutCount(deletion{do: func(ctx context.Context) (int64, error) { return s.simple(ctx, text) }}), nil
	}
}

// withoutCount is a deletion whose answer does not tell all rows.
func withoutCount(d deletion) deletion {
	do := d.do
	d.do = func(ctx context.Context) (int64, error) {
		_, err := do(ctx)
		return untold, err
	}
	return d
}
