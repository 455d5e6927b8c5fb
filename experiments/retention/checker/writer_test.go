package checker

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// existing is the ledger when there is one yet.
func existing(path string) []string {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{path}
}

// insertUntil inserts rows w1, w2, ... into a until ctx ends.
func insertUntil(ctx context.Context, connect func(context.Context) (*pgx.Conn, error), path string) (err error) {
	l, err := OpenLedger(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	conn, err := connect(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for n := 1; ctx.Err() == nil; n++ {
		id := "w" + strconv.Itoa(n)
		if err := l.Intent("a", id, time.Now()); err != nil {
			return err
		}
		if _, err := conn.Exec(context.WithoutCancel(ctx), "INSERT INTO a VALUES ($1, 2)", id); err != nil {
			return err
		}
		if err := l.Ack("a", id, time.Now()); err != nil {
			return err
		}
	}
	return nil
}
