package postgres

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// directBytes is the most that the parameters of a statement may hold to be sent directly: less than what a socket
// takes at once, so that no write waits for a server that waits for a read.
const directBytes = 16 << 10

// ExecPrepared executes a statement that the connection has prepared under a name, with parameters as text, and returns
// the rows that it read, without looking into them, or that it changed. It is for what is timed.
//
// pgx guards every request with a timer, in case the server cannot write because nobody reads, and Go's scheduler
// answers each setting of it by waking another thread, which takes a processor from the server. So a small request whose
// ctx cannot end is sent and answered here, in the same messages; any other is left to pgx. The error of the server is
// a *pgconn.PgError.
func ExecPrepared(ctx context.Context, conn *pgx.Conn, name string, parameters ...[]byte) (rows int, err error) {
	pg := conn.PgConn()
	if ctx.Done() != nil || size(parameters) > directBytes || pg.IsBusy() || pg.IsClosed() {
		tag, err := pg.ExecPrepared(ctx, name, parameters, nil, nil).Close()
		return int(tag.RowsAffected()), err
	}
	front := pg.Frontend()
	front.SendBind(&pgproto3.Bind{PreparedStatement: name, Parameters: parameters})
	front.SendDescribe(&pgproto3.Describe{ObjectType: 'P'})
	front.SendExecute(&pgproto3.Execute{})
	front.SendSync(&pgproto3.Sync{})
	if err := front.Flush(); err != nil {
		pg.Close(ctx)
		return 0, fmt.Errorf("sending prepared statement %q: %w", name, err)
	}
	return receive(pg)
}

// ExecSimple is ExecPrepared for one statement by the simple protocol.
func ExecSimple(ctx context.Context, conn *pgx.Conn, sql string) (rows int, err error) {
	pg := conn.PgConn()
	if ctx.Done() != nil || len(sql) > directBytes || pg.IsBusy() || pg.IsClosed() {
		return last(pg.Exec(ctx, sql))
	}
	front := pg.Frontend()
	front.SendQuery(&pgproto3.Query{String: sql})
	if err := front.Flush(); err != nil {
		pg.Close(ctx)
		return 0, fmt.Errorf("sending %q: %w", sql, err)
	}
	return receive(pg)
}

// receive reads the answer to its end. pgx keeps its account of the connection: each message goes through it.
func receive(pg *pgconn.PgConn) (rows int, err error) {
	for read := 0; ; {
		message, failed := pg.ReceiveMessage(context.Background())
		if failed != nil {
			return 0, failed
		}
		switch m := message.(type) {
		case *pgproto3.DataRow:
			read++
		case *pgproto3.CommandComplete:
			rows = counted(m.CommandTag)
		case *pgproto3.ErrorResponse:
			err = pgconn.ErrorResponseToPgError(m)
		case *pgproto3.ReadyForQuery:
			return max(rows, read), err
		}
	}
}

// counted is the number at the end of a command tag such as "DELETE 5"; 0 without one.
func counted(tag []byte) int {
	n, err := strconv.Atoi(string(tag[bytes.LastIndexByte(tag, ' ')+1:]))
	if err != nil {
		return 0
	}
	return n
}

// last reads results to their end and returns the rows of the last one.
func last(results *pgconn.MultiResultReader) (rows int, err error) {
	for results.NextResult() {
		tag, _ := results.ResultReader().Close() // its error is also the one of all of them
		rows = int(tag.RowsAffected())
	}
	return rows, results.Close()
}

func size(parameters [][]byte) int {
	bytes := 0
	for _, p := range parameters {
		bytes += len(p)
	}
	return bytes
}
