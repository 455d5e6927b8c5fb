package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/waiting"
)

// Options are what one server is asked for.
type Options struct {
	// Name stands before the server's log lines and in errors. Empty: "server".
	Name string
	// Checksums switches data checksums on; false switches them off, whatever the version's default is.
	Checksums bool
	// Settings are PostgreSQL's by their lower-case names, with values as SET takes them (units allowed). Where the
	// server listens and logs is the tool's own choice and cannot be set.
	Settings map[string]string
}

// StartedIn says how long the parts of a start took.
type StartedIn struct {
	Initdb time.Duration // 0 when a ready cluster was there
	Copy   time.Duration // copying the ready cluster
	Start  time.Duration // from the start of postgres to a first answered query
}

// Server is one running PostgreSQL.
type Server struct {
	Name      string    // as in Options
	Version   string    // exact, such as "17.10"
	DataDir   string    // absolute path of the data directory
	SocketDir string    // absolute path of the server's folder, in which its Unix socket is where it has one
	StartedIn StartedIn // how long it took to start

	host    *Host
	cluster cluster
	primary *Server // whom it follows; nil when it is no standby
	at      endpoint
	process *process
	log     *serverLog
	conn    *pgx.ConnConfig
	done    chan struct{} // closed after err is set
	err     error
	cleanUp func() error // removes the server's folder, once

	mu    sync.Mutex
	asked bool // the tool has asked it to end
	late  bool // it was ending already when it was asked
	harsh bool // it was asked in a way after which its exit status says nothing
}

// cluster is what a server's data directory was copied from.
type cluster struct {
	checksums bool
	password  string // of the ready cluster's superuser; initdb draws it anew, so it tells ready clusters apart
}

// Start makes a new, empty cluster and a server on it, and returns once the server answers queries. When it fails or
// ctx ends before, no process and no file stay. A server's own refusal is told with the last lines of its log; what the
// machine lacks is an *EnvironmentError. The end of ctx afterwards does not stop the server.
func (h *Host) Start(ctx context.Context, options Options) (*Server, error) {
	options.Name = cmp.Or(options.Name, "server")
	return h.add(ctx, options.Name, func(ctx context.Context, s *Server) error { return s.start(ctx, options) })
}

// add makes a server, starts it in the way given and lists it. When that fails no process and no file stay.
func (h *Host) add(ctx context.Context, name string, start func(context.Context, *Server) error) (*Server, error) {
	ctx, end, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	s, err := h.newServer(name)
	if err == nil {
		if err = start(ctx, s); err != nil {
			err = errors.Join(err, s.abandon())
		}
	}
	if err != nil {
		err = fmt.Errorf("starting PostgreSQL %s %q: %w", h.Version, name, err)
		return nil, fullDisk(err, filepath.Dir(h.Folder), remedyTemp)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.servers = append(h.servers, s)
	return s, nil
}

// newServer makes the folder of a server, which is also that of its socket.
func (h *Host) newServer(name string) (*Server, error) {
	if strings.ContainsAny(name, "\n\r") {
		return nil, errors.New("the name has a line break")
	}
	folder := h.newFolder("")
	s := &Server{
		Name: name, Version: h.Version, DataDir: filepath.Join(folder, "data"), SocketDir: folder,
		host: h,
	}
	s.cleanUp = sync.OnceValue(func() error {
		if h.config.Keep {
			return nil
		}
		return os.RemoveAll(folder)
	})
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	if err := h.account.own(folder); err != nil {
		return nil, errors.Join(err, s.cleanUp())
	}
	return s, nil
}

// start makes the data directory, starts postgres on it and sets the server's own password.
func (s *Server) start(ctx context.Context, options Options) error {
	if _, err := renderSettings(endpoint{}, options.Settings); err != nil {
		return err // before anything is made
	}
	password, took, err := s.host.prepare(ctx, s.DataDir, options.Checksums)
	if err != nil {
		return err
	}
	s.cluster = cluster{checksums: options.Checksums, password: password}
	defer waiting.For(ctx, waiting.Servers)()
	begun := time.Now()
	if err := s.listen(ctx, options.Settings); err != nil {
		return err
	}
	if err := s.secure(ctx, password); err != nil {
		return err
	}
	took.Start = time.Since(begun)
	s.StartedIn = took
	return nil
}

// launch starts postgres in the foreground and watches over its end.
func (s *Server) launch() error {
	s.process, s.err = nil, nil // of a try on another port
	s.log, s.done = &serverLog{name: s.Name, out: s.host.log}, make(chan struct{})
	cmd := s.host.command(s.DataDir, "postgres", "-D", s.DataDir)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	p, err := s.host.startProcess(cmd, s.DataDir)
	if err != nil {
		return s.host.explain(err, "postgres")
	}
	s.process = p
	go s.watch()
	return nil
}

// watch waits for the end of postgres and notes whether it was the tool's doing. After a fast shutdown the exit status is 0.
func (s *Server) watch() {
	<-s.process.done
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.process.cmd.ProcessState
	if !s.asked || s.late || !s.harsh && !(state != nil && state.Success()) {
		s.err = fmt.Errorf("PostgreSQL %s %q ended by itself: %v; its log ends with: %s", s.Version, s.Name, state, s.log.gist(3))
	}
	close(s.done)
}

// Pid is the process id of the postmaster, also after its end.
func (s *Server) Pid() int { return s.process.cmd.Process.Pid }

// Done is closed when the server has ended, asked or not.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil while the server runs and after Stop; when the server ended by itself it says how, with the last lines of
// its log. Clients may notice before that; Stop waits for it.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}
