package postgres

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// peers opens a blocking connection to a listener and gives both ends.
func peers(t *testing.T) (near, far net.Conn) {
	t.Helper()
	folder, err := os.MkdirTemp("", "bl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if near, err = dial(t.Context(), "unix", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

// More than a socket's buffer goes through whole, both ways at once, and the end of the other side is an end of file.
func TestBlockingCarriesEverything(t *testing.T) {
	near, far := peers(t)
	sent := bytes.Repeat([]byte("deletecost"), 400_000)
	go func() {
		io.Copy(far, far) // an echo
		far.Close()
	}()
	written := make(chan error, 1)
	go func() {
		_, err := near.Write(sent)
		written <- err
	}()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(near, got); err != nil || !bytes.Equal(got, sent) {
		t.Fatalf("read %d bytes with error %v, equal %v", len(got), err, bytes.Equal(got, sent))
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	far.(*net.UnixConn).CloseWrite()
	if n, err := near.Read(got); n != 0 || err != io.EOF {
		t.Errorf("after the end of the other side got %d, %v, want 0, EOF", n, err)
	}
}

// What ends a wait of the standard library's connections ends these with the same error.
func TestBlockingEnds(t *testing.T) {
	past := time.Unix(1, 0)
	read := func(c net.Conn) error { _, err := c.Read(make([]byte, 1)); return err }
	write := func(c net.Conn) error { _, err := c.Write(make([]byte, 8<<20)); return err } // nobody reads
	for _, test := range []struct {
		name          string
		do            func(net.Conn) error
		before, while func(net.Conn)
		want          error
	}{
		{"read closed", read, nil, func(c net.Conn) { c.Close() }, net.ErrClosed},
		{"write closed", write, nil, func(c net.Conn) { c.Close() }, net.ErrClosed},
		{"closed before", read, func(c net.Conn) { c.Close() }, nil, net.ErrClosed},
		{"read deadline meanwhile", read, nil, func(c net.Conn) { c.SetReadDeadline(past) }, os.ErrDeadlineExceeded},
		{"write deadline meanwhile", write, nil, func(c net.Conn) { c.SetDeadline(past) }, os.ErrDeadlineExceeded},
		{"deadline before", write, func(c net.Conn) { c.SetWriteDeadline(past) }, nil, os.ErrDeadlineExceeded},
		{"deadline that comes", read, func(c net.Conn) { c.SetDeadline(time.Now().Add(30 * time.Millisecond)) }, nil, os.ErrDeadlineExceeded},
		{"the other direction's deadline", read, func(c net.Conn) { c.SetWriteDeadline(past) }, func(c net.Conn) { c.Close() }, net.ErrClosed},
		{"put off, then passed", read, func(c net.Conn) { c.SetDeadline(time.Now().Add(time.Hour)) },
			func(c net.Conn) { c.SetDeadline(time.Time{}); c.SetDeadline(past) }, os.ErrDeadlineExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			near, _ := peers(t)
			if test.before != nil {
				test.before(near)
			}
			ended := make(chan error, 1)
			go func() { ended <- test.do(near) }()
			if test.while != nil {
				time.Sleep(20 * time.Millisecond)
				test.while(near)
			}
			select {
			case err := <-ended:
				if _, isNet := errors.AsType[net.Error](err); !errors.Is(err, test.want) || !isNet {
					t.Errorf("got %v, want %v as a net.Error", err, test.want)
				}
			case <-time.After(5 * time.Second):
				t.Fatal("still waiting")
			}
		})
	}
}

// A deadline that is lifted leaves the connection usable.
func TestBlockingAfterDeadline(t *testing.T) {
	near, far := peers(t)
	near.SetDeadline(time.Unix(1, 0))
	if _, err := near.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("got %v, want the deadline's error", err)
	}
	near.SetDeadline(time.Time{})
	far.Write([]byte("x"))
	if n, err := near.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("got %d, %v, want the byte", n, err)
	}
	if near.Close() != nil || !errors.Is(near.Close(), net.ErrClosed) {
		t.Error("the second close is to say that it is closed, the first one nothing")
	}
}

// The runtime's poller does not watch the connection: its thread would wake at every answer too.
func TestBlockingIsNotPolled(t *testing.T) {
	near, _ := peers(t)
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^tfd:\s+%d\s`, near.(*blocking).fd))
	descriptors, err := os.ReadDir("/proc/self/fdinfo")
	if err != nil {
		t.Skip(err)
	}
	pollers := 0
	for _, d := range descriptors {
		info, _ := os.ReadFile("/proc/self/fdinfo/" + d.Name())
		if bytes.Contains(info, []byte("tfd:")) {
			pollers++
		}
		if line.Match(info) {
			t.Errorf("a poller watches the connection: %s", info)
		}
	}
	if pollers == 0 {
		t.Error("found no poller, and the runtime has one")
	}
}
