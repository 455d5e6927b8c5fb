package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/waiting"
)

// notBelow are the settings that a standby may not have lower than its primary (documentation, "Hot Standby", the
// administrator's overview).
var notBelow = []string{
	"max_connections", "max_locks_per_transaction", "max_prepared_transactions", "max_wal_senders", "max_worker_processes",
}

// standbyName is what a primary shows unchanged as a standby's application_name.
var standbyName = regexp.MustCompile(`^[ -~]{1,63}$`)

// Standby starts a hot standby of a primary that Start has started, and returns once it streams, has replayed what the
// primary had written when Standby was called, and answers queries. It is the cluster that the primary was copied from,
// copied again: no base backup, so the primary must still have all WAL since its start. It has that until the first
// checkpoint after some 10 MiB of WAL; to have it longer, start the primary with a wal_keep_size above all that it will write.
// That also keeps a standby that falls behind from losing its WAL.
//
// Options.Name, by default "standby", is the application_name in the primary's pg_stat_replication. Options.Checksums is
// not read, since a standby has its primary's. Options.Settings are the standby's own; it gets those that may not be
// below the primary's from there, and they cannot be given. The password is the primary's.
//
// When it fails or ctx ends before, no process and no file stay, and the primary runs on. Stop the standbys before their
// primary, which waits up to 10 s for one that is there and takes no WAL.
func (h *Host) Standby(ctx context.Context, primary *Server, options Options) (*Server, error) {
	options.Name = cmp.Or(options.Name, "standby")
	return h.add(ctx, options.Name, func(ctx context.Context, s *Server) error {
		if err := s.follow(ctx, primary, options.Settings); err != nil {
			return fmt.Errorf("following %q: %w", primary.Name, err)
		}
		return nil
	})
}

// follow makes the data directory, starts postgres on it and waits until it has caught up with its primary.
func (s *Server) follow(ctx context.Context, primary *Server, extra map[string]string) error {
	if err := s.mayFollow(primary); err != nil {
		return err
	}
	conn, err := primary.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	lead, err := readLead(ctx, conn, s.Name)
	if err != nil {
		return err
	}
	settings, err := s.standbySettings(primary, lead, extra)
	if err != nil {
		return err
	}
	took, err := s.copyOf(ctx, primary)
	if err != nil {
		return err
	}
	defer waiting.For(ctx, waiting.Servers)()
	begun := time.Now()
	if err := s.listen(ctx, settings); err != nil {
		return err
	}
	if err := s.awaitStreaming(ctx, conn, lead.position); err != nil {
		return err
	}
	if err := s.answer(ctx, primary.conn.Password); err != nil {
		return err
	}
	took.Start = time.Since(begun)
	s.StartedIn = took
	return nil
}

// mayFollow refuses what can be seen without asking the primary.
func (s *Server) mayFollow(primary *Server) error {
	switch {
	case primary.host != s.host:
		return errors.New("it belongs to another host; start both with the same one")
	case primary.primary != nil:
		return errors.New("it is a standby itself; name its primary")
	case !standbyName.MatchString(s.Name):
		return fmt.Errorf("a standby is named by up to 63 printable ASCII characters, and %q is not; give another name", s.Name)
	}
	return nil
}

// lead is what a primary says before a standby starts.
type lead struct {
	position string            // the end of its WAL on disk
	settings map[string]string // notBelow
}

// leadSQL takes the greater of the primary's setting and the default, with which initdb made the cluster: the standby
// begins there.
const leadSQL = `
SELECT current_setting('wal_level'), current_setting('max_wal_senders')::int, pg_current_wal_flush_lsn()::text,
       EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1),
       (SELECT json_object_agg(name, greatest(setting::bigint, boot_val::bigint)::text) FROM pg_settings WHERE name = ANY($2))`

// readLead asks the primary for what its standby of that name needs; it is an error when the primary cannot have one.
func readLead(ctx context.Context, conn *pgx.Conn, name string) (lead, error) {
	var (
		l       lead
		level   string
		senders int
		taken   bool
	)
	if err := conn.QueryRow(ctx, leadSQL, name, notBelow).Scan(&level, &senders, &l.position, &taken, &l.settings); err != nil {
		return l, fmt.Errorf("reading its settings: %w", err)
	}
	switch {
	case level == "minimal":
		return l, errors.New("its wal_level is minimal, which is too little for a standby; start it with replica or logical")
	case senders == 0:
		return l, errors.New("its max_wal_senders is 0; start it with 1 or more")
	case taken:
		return l, fmt.Errorf("it has a standby %q already; give another name", name)
	}
	return l, nil
}

// standbySettings are those that make the server a standby, with the experiment's own.
func (s *Server) standbySettings(primary *Server, l lead, extra map[string]string) (map[string]string, error) {
	all := maps.Clone(l.settings)
	all["hot_standby"] = "on"
	all["primary_conninfo"] = primary.at.conninfo(primary.conn.Password) + " gssencmode=disable application_name=" + quoteConninfo(s.Name)
	for name, value := range extra {
		if _, fixed := all[name]; fixed {
			return nil, fmt.Errorf("setting %q: a standby has what its primary asks for; leave it out", name)
		}
		all[name] = value
	}
	_, err := renderSettings(endpoint{}, all) // before anything is made
	return all, err
}

// copyOf copies the ready cluster once more that the primary was copied from, as a standby.
func (s *Server) copyOf(ctx context.Context, primary *Server) (StartedIn, error) {
	password, took, err := s.host.prepare(ctx, s.DataDir, primary.cluster.checksums)
	if err != nil {
		return took, err
	}
	s.primary, s.cluster = primary, primary.cluster
	if password != primary.cluster.password {
		return took, errors.New("the cluster that it was copied from is there no longer; start it again too")
	}
	signal := filepath.Join(s.DataDir, "standby.signal")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		return took, fmt.Errorf("making a standby: %w", err)
	}
	return took, s.host.account.own(signal)
}

const streamsSQL = `
SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming' AND replay_lsn >= $2::text::pg_lsn)`

// awaitStreaming asks the primary until the standby streams and has replayed its WAL up to a position, with it the
// primary's password. It is an error when the primary refuses to stream, the standby ends, or the time is up.
func (s *Server) awaitStreaming(ctx context.Context, primary *pgx.Conn, position string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startWithin, fmt.Errorf("not streaming within %v", startWithin))
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		var streams bool
		err := primary.QueryRow(ctx, streamsSQL, s.Name, position).Scan(&streams)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("waiting for the standby: %w; its log ends with: %s", context.Cause(ctx), s.log.gist(3))
		case err != nil:
			return fmt.Errorf("asking it for its standby: %w", err)
		case streams:
			return nil
		}
		if err := s.refused(); err != nil {
			return err
		}
		select {
		case <-s.done:
			return s.err
		case <-ctx.Done():
		case <-poll.C:
		}
	}
}

// refused is what the primary said against streaming, as the standby's log tells it; nil when it did not. The standby
// would try again for ever.
func (s *Server) refused() error {
	for _, line := range s.log.lines() {
		_, said, complaint := strings.Cut(line, "FATAL:  ")
		switch {
		case !complaint:
		case strings.Contains(said, "requested WAL segment") && strings.Contains(said, "has already been removed"):
			return fmt.Errorf("it has no longer all WAL since its start: %s; start it with a wal_keep_size above what it writes", said)
		case strings.Contains(said, "WAL stream"), strings.Contains(said, "connect to the primary server"):
			return errors.New(said)
		}
	}
	return nil
}

// answer waits for a first answer to who knows the password.
func (s *Server) answer(ctx context.Context, password string) (err error) {
	if s.conn, err = connConfig(s.at, password); err != nil {
		return err
	}
	conn, err := s.awaitConnection(ctx, s.conn)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
