package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/waiting"
)

const (
	startWithin = 60 * time.Second     // for a server to answer its first query
	pollEvery   = 5 * time.Millisecond // finer than a start, which takes 0.3 s
)

// Connect opens a connection as the superuser to database postgres, with pgx's defaults but for how it dials: see dial.
func (s *Server) Connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, s.ConnConfig())
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL %q: %w", s.Name, err)
	}
	return conn, nil
}

// ConnConfig is how to connect as the superuser to database postgres. Each call returns its own, to be changed at will
// (DialFunc, DefaultQueryExecMode, Database). Nothing in it comes from PG variables of the environment.
func (s *Server) ConnConfig() *pgx.ConnConfig { return s.conn.Copy() }

// connConfig builds the configuration. Every key that pgx would otherwise read from the environment and check is given.
// PGSERVICE is the one that nothing overrules, so this process does without it.
func connConfig(at endpoint, password string) (*pgx.ConnConfig, error) {
	if err := os.Unsetenv("PGSERVICE"); err != nil {
		return nil, fmt.Errorf("preparing a connection: %w", err)
	}
	config, err := pgx.ParseConfig(at.conninfo(password) +
		" dbname=postgres sslcertmode=allow sslnegotiation=postgres target_session_attrs=any" +
		" connect_timeout=0 min_protocol_version=3.0 max_protocol_version=3.0 channel_binding=prefer require_auth=")
	if err != nil {
		return nil, fmt.Errorf("preparing a connection: %w", err)
	}
	config.RuntimeParams = map[string]string{}
	config.DialFunc = waiting.Dialer(dial)
	return config, nil
}

// secure waits for the server and gives it a password of its own, since the ready cluster's is shared by all copies.
func (s *Server) secure(ctx context.Context, shared string) error {
	first, err := connConfig(s.at, shared)
	if err != nil {
		return err
	}
	conn, err := s.awaitConnection(ctx, first)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	own := rand.Text() // letters and digits only
	// Local: the password must be in the WAL of a standby that starts now, and no standby can be waited for yet.
	if _, err := conn.Exec(ctx, "SET synchronous_commit = local; ALTER ROLE "+Superuser+" PASSWORD '"+own+"'"); err != nil {
		return fmt.Errorf("setting the password: %w", err)
	}
	s.conn, err = connConfig(s.at, own)
	return err
}

// awaitConnection tries to connect until it works, the server ends, or the time is up. What a server that is up says
// against the connection is final.
func (s *Server) awaitConnection(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	late := fmt.Errorf("no answer within %v", startWithin)
	ctx, cancel := context.WithTimeoutCause(ctx, startWithin, late)
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err == nil {
			return conn, nil
		}
		if answer, ok := errors.AsType[*pgconn.PgError](err); ok && answer.Code != "57P03" { // cannot_connect_now
			return nil, err
		}
		select {
		case <-s.done:
			return nil, s.err
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the first connection: %w; its log ends with: %s", context.Cause(ctx), s.log.gist(3))
		case <-poll.C:
		}
	}
}
