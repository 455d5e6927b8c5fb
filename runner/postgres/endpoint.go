package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	socketPort = "5432" // only names the socket; the folder keeps servers apart
	socketName = ".s.PGSQL." + socketPort
	loopback   = "127.0.0.1"
	portTries  = 20 // how many ports are tried before a start fails
)

// endpoint is where a server listens: on a Unix socket, or on TCP where only this machine reaches it.
type endpoint struct {
	socketDir string // "" without a socket
	address   string // "" without TCP
	port      string // decimal
}

// onSocket is the endpoint of a server whose socket lies in a folder.
func onSocket(folder string) endpoint { return endpoint{socketDir: folder, port: socketPort} }

// onLoopback is an endpoint on TCP. The system names a port that is free now; whether it still is when the server
// starts, the server finds out.
func onLoopback(string) (endpoint, error) {
	listener, err := net.Listen("tcp4", loopback+":0")
	if err != nil {
		return endpoint{}, fmt.Errorf("looking for a free port: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return endpoint{address: loopback, port: port}, errors.Join(err, listener.Close())
}

// host is what a client connects to.
func (e endpoint) host() string { return e.address + e.socketDir }

// conninfo is how libpq and pgx name this endpoint, with the superuser and its password, which has letters and digits only.
func (e endpoint) conninfo(password string) string {
	return "host=" + quoteConninfo(e.host()) + " port=" + e.port + " user=" + Superuser + " password=" + password + " sslmode=disable"
}

// quoteConninfo writes a value of a connection string.
func quoteConninfo(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}

// hba is the text of pg_hba.conf: it lets in who knows the password, at this endpoint, and nobody else. The word all
// leaves out the connections of standbys, so they have a rule of their own.
func (e endpoint) hba() string {
	kind, from := "local", ""
	if e.address != "" {
		kind, from = "host", e.address+"/32 "
	}
	return fmt.Sprintf("# TYPE DATABASE USER ADDRESS METHOD\n%[1]s all all %[2]sscram-sha-256\n%[1]s replication all %[2]sscram-sha-256\n", kind, from)
}

// listen starts postgres at an endpoint. A socket is its own; a port may be another program's by now, and then the next
// one is tried. The settings are valid.
func (s *Server) listen(ctx context.Context, settings map[string]string) error {
	choose := systemEndpoint
	if chosen := s.host.config.listen; chosen != nil {
		choose = chosen
	}
	for range portTries {
		at, err := choose(s.SocketDir)
		if err != nil {
			return err
		}
		if err := s.configure(at, settings); err != nil {
			return err
		}
		if err := s.launch(); err != nil || at.address == "" {
			return err
		}
		if err := s.awaitListening(ctx); err == nil || !s.portTaken() {
			return err
		}
	}
	return &EnvironmentError{Problem: fmt.Sprintf("none of %d ports of %s could be had", portTries, loopback), Remedy: "see which programs hold them"}
}

// configure writes the files of a server that depend on where it listens.
func (s *Server) configure(at endpoint, settings map[string]string) error {
	conf, err := renderSettings(at, settings)
	if err != nil {
		return err
	}
	s.at = at
	for name, text := range map[string]string{settingsFile: conf, hbaFile: at.hba()} {
		file := filepath.Join(s.DataDir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		if err := s.host.account.own(file); err != nil {
			return err
		}
	}
	return nil
}

// awaitListening returns once the server holds its port, so that nobody else can be taken for it. When it ends before,
// that is the error.
func (s *Server) awaitListening(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startWithin, fmt.Errorf("not listening within %v", startWithin))
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		if status, err := s.status(); err == nil && slices.Contains([]string{"starting", "ready", "standby"}, status) {
			return nil
		}
		select {
		case <-s.done:
			return s.err
		case <-ctx.Done():
			return fmt.Errorf("waiting for the server to listen: %w; its log ends with: %s", context.Cause(ctx), s.log.gist(3))
		case <-poll.C:
		}
	}
}

// portTaken tells whether a server ended because it could not listen.
func (s *Server) portTaken() bool {
	select {
	case <-s.done:
		return strings.Contains(s.log.tail(), "could not create any TCP/IP sockets")
	default:
		return false
	}
}
