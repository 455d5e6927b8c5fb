package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"deletecost/runner/waiting"
)

// How long each way of stopping is given. After SIGQUIT the postmaster itself kills its children when 5 s have passed,
// so it must have longer than that.
const (
	fastStop      = 10 * time.Second
	immediateStop = 10 * time.Second
	killed        = 5 * time.Second
)

// Stop ends the server with a fast shutdown (SIGINT: open transactions are rolled back), after 10 s or at the end of ctx
// with an immediate one (SIGQUIT), and kills it only when that had no effect either. Then the server's folder is removed,
// unless Config.Keep is set. It returns the error of a server that had ended by itself, or was about to: the same as Err afterwards. It may be called again and at the
// same time; a call with an ended ctx makes the others shorter.
func (s *Server) Stop(ctx context.Context) error {
	s.ask(false)
	if err := s.end(ctx); err != nil {
		return err
	}
	s.host.forget(s)
	return errors.Join(s.Err(), s.cleanUp())
}

// end takes the postmaster down, the gentle way first. SIGKILL comes last: a busy backend outlives its postmaster.
func (s *Server) end(ctx context.Context) error {
	defer waiting.For(ctx, waiting.Servers)()
	if ctx.Err() == nil && s.signal(syscall.SIGINT) == nil && s.ended(ctx, fastStop) {
		return nil
	}
	if s.quit() == nil && s.ended(context.Background(), immediateStop) {
		return nil
	}
	select {
	case <-s.done: // its process id may be another's by now
	default:
		s.ask(true)
		s.process.kill()
	}
	if s.ended(context.Background(), killed) {
		return nil
	}
	return fmt.Errorf("stopping PostgreSQL %s %q: process %d does not end", s.Version, s.Name, s.Pid())
}

// quit asks for an immediate shutdown.
func (s *Server) quit() error {
	s.ask(true)
	return s.signal(syscall.SIGQUIT)
}

// ask notes that the tool wants the server to end. Whether it was ending already must be looked at before the first
// signal: a client loses its connection some time before the postmaster is gone.
func (s *Server) ask(harsh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked {
		s.asked, s.late = true, s.ending()
	}
	s.harsh = s.harsh || harsh
}

// ending tells whether the postmaster is on its way out: it says so before it tells its children, and when it has ended
// its pid file is gone.
func (s *Server) ending() bool {
	status, err := s.status()
	return status == "stopping" || errors.Is(err, fs.ErrNotExist)
}

// status is the last line of the pid file, where a postmaster keeps its state once it listens: starting, ready, standby or stopping.
func (s *Server) status() (string, error) {
	text, err := os.ReadFile(filepath.Join(s.DataDir, "postmaster.pid"))
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1]), nil
}

// signal sends a signal to the postmaster; one that has ended has obeyed already.
func (s *Server) signal(sig syscall.Signal) error {
	err := s.process.signal(sig)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// ended waits for the end of the server, at most until ctx ends or the time has passed, and tells whether it came.
func (s *Server) ended(ctx context.Context, atMost time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	select {
	case <-s.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// abandon ends a server whose start failed, at once, and removes its folder.
func (s *Server) abandon() error {
	if s.process == nil {
		return s.cleanUp()
	}
	if err := s.quit(); err != nil {
		s.process.kill()
	}
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	return errors.Join(s.end(expired), s.cleanUp())
}

// forget takes a stopped server off the list.
func (h *Host) forget(s *Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.servers = slices.DeleteFunc(h.servers, func(other *Server) bool { return other == s })
}
