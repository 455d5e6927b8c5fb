package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// dial opens a connection. A Unix socket becomes one whose reads and writes are system calls of the calling thread: a
// connection of package net is read by way of the runtime's poller, which hands each answer from thread to thread, and
// then SELECT 1 takes up to twice as long. It serves best on a goroutine that is locked to its thread.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	opened, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	socket, ok := opened.(*net.UnixConn)
	if !ok {
		return opened, nil
	}
	defer opened.Close() // its descriptor is its own
	b, err := newBlocking(socket)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// A blocking connection has no poller. Who waits in ppoll waits for the socket and for a signal, which a close and a
// new deadline give. One goroutine may read and another one write, as with pgx.
type blocking struct {
	fd            int
	local, remote net.Addr
	reads, writes direction

	using  sync.RWMutex // read-locked as long as the descriptors are in use
	mu     sync.Mutex
	closed bool
}

// A direction is what those wait for who read, or those who write.
type direction struct {
	signal   int // an eventfd; 0: none yet
	deadline time.Time
}

// newBlocking takes a descriptor of its own of the connection. An os.File, as socket.File gives, would be registered
// with the runtime's poller, whose thread would then wake at every answer, beside the one that waits for it.
func newBlocking(socket *net.UnixConn) (*blocking, error) {
	fd, err := duplicate(socket)
	if err != nil {
		return nil, err
	}
	b := &blocking{fd: fd, local: socket.LocalAddr(), remote: socket.RemoteAddr()}
	for _, d := range []*direction{&b.reads, &b.writes} {
		d.signal, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
		if err != nil {
			b.release()
			return nil, os.NewSyscallError("eventfd", err)
		}
	}
	return b, nil
}

// duplicate returns a second descriptor of a connection, one that does not block, as every one of package net's.
func duplicate(socket *net.UnixConn) (fd int, err error) {
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	failed := raw.Control(func(of uintptr) { fd, err = unix.FcntlInt(of, unix.F_DUPFD_CLOEXEC, 0) })
	if failed != nil {
		return 0, failed
	}
	return fd, os.NewSyscallError("fcntl", err)
}

// Read waits until there is something to read. It does not wait in the read itself, which would save a system call: the
// server's reading of a request wakes whoever does, once for nothing, and ppoll only who asked for room to write.
func (b *blocking) Read(p []byte) (int, error) {
	b.using.RLock()
	defer b.using.RUnlock()
	for {
		if err := b.await(unix.POLLIN, &b.reads); err != nil {
			return 0, b.failed("read", err)
		}
		n, err := unix.Read(b.fd, p)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil:
			return 0, b.failed("read", os.NewSyscallError("read", err))
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write waits only when the socket's buffer is full.
func (b *blocking) Write(p []byte) (int, error) {
	b.using.RLock()
	defer b.using.RUnlock()
	err := b.over(&b.writes)
	for done := 0; err == nil; {
		var n int
		n, err = unix.SendmsgN(b.fd, p[done:], nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		switch {
		case err == unix.EINTR:
			err = nil
		case err == unix.EAGAIN:
			err = b.await(unix.POLLOUT, &b.writes)
		case err != nil:
			err = os.NewSyscallError("sendmsg", err)
		default:
			done += n
		}
		if done == len(p) && err == nil {
			return done, nil
		}
		if err != nil {
			return done, b.failed("write", err)
		}
	}
	return 0, b.failed("write", err)
}

// await returns when the socket is ready, and with the error of a connection that closes or is out of time.
func (b *blocking) await(event int16, d *direction) error {
	for {
		if err := b.over(d); err != nil {
			return err
		}
		fds := []unix.PollFd{{Fd: int32(b.fd), Events: event}, {Fd: int32(d.signal), Events: unix.POLLIN}}
		if _, err := unix.Ppoll(fds, b.left(d), nil); err != nil && err != unix.EINTR {
			return os.NewSyscallError("ppoll", err)
		}
		if fds[1].Revents != 0 {
			unix.Read(d.signal, make([]byte, 8)) // what it is for is asked again
			continue
		}
		if fds[0].Revents != 0 {
			return nil
		}
	}
}

// over is why nobody may wait any more; nil when one may.
func (b *blocking) over(d *direction) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return net.ErrClosed
	case !d.deadline.IsZero() && !time.Now().Before(d.deadline):
		return os.ErrDeadlineExceeded
	}
	return nil
}

// left is how long one may wait; nil without a deadline.
func (b *blocking) left(d *direction) *unix.Timespec {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.deadline.IsZero() {
		return nil
	}
	span := unix.NsecToTimespec(int64(max(time.Until(d.deadline), 0)))
	return &span
}

// change sets what ends a wait and tells those who wait.
func (b *blocking) change(set func(), ds ...*direction) error {
	b.using.RLock()
	defer b.using.RUnlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return net.ErrClosed
	}
	set()
	for _, d := range ds {
		unix.Write(d.signal, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // full means signalled already
	}
	return nil
}

// Close ends what waits, and then gives the descriptors back.
func (b *blocking) Close() error {
	if err := b.change(func() { b.closed = true }, &b.reads, &b.writes); err != nil {
		return b.failed("close", err)
	}
	b.using.Lock()
	defer b.using.Unlock()
	return b.release()
}

// release gives back the descriptors that it has.
func (b *blocking) release() error {
	err := unix.Close(b.fd)
	for _, d := range []direction{b.reads, b.writes} {
		if d.signal > 0 {
			err = errors.Join(err, unix.Close(d.signal))
		}
	}
	return err
}

func (b *blocking) SetDeadline(t time.Time) error {
	return b.change(func() { b.reads.deadline, b.writes.deadline = t, t }, &b.reads, &b.writes)
}

func (b *blocking) SetReadDeadline(t time.Time) error {
	return b.change(func() { b.reads.deadline = t }, &b.reads)
}

func (b *blocking) SetWriteDeadline(t time.Time) error {
	return b.change(func() { b.writes.deadline = t }, &b.writes)
}

func (b *blocking) LocalAddr() net.Addr  { return b.local }
func (b *blocking) RemoteAddr() net.Addr { return b.remote }

func (b *blocking) failed(doing string, err error) error {
	return &net.OpError{Op: doing, Net: "unix", Source: b.local, Addr: b.remote, Err: err}
}
