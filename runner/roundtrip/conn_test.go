package roundtrip

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// dialEcho connects through n to a server that sends back what it gets.
func dialEcho(t *testing.T, n *Network) net.Conn {
	t.Helper()
	folder, err := os.MkdirTemp("", "rt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			peer, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer peer.Close()
				io.Copy(peer, peer)
			}()
		}
	}()
	c, err := n.DialFunc(nil)(context.Background(), "unix", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// say writes so many messages one after another and then reads all the answers.
func say(t *testing.T, c net.Conn, messages int) {
	t.Helper()
	for range messages {
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.ReadFull(c, make([]byte, messages)); err != nil {
		t.Fatal(err)
	}
}

func TestWaits(t *testing.T) {
	var n Network
	c := dialEcho(t, &n)
	say(t, c, 1) // without a delay there is no wait
	const delay = 300 * time.Microsecond
	n.SetDelay(delay)
	say(t, c, 3) // a pipeline waits once
	say(t, c, 1)
	waits := n.Waits()
	if len(waits) != 2 {
		t.Fatalf("%d waits, want 2", len(waits))
	}
	for _, w := range waits {
		if w < delay {
			t.Errorf("waited %v, want at least %v", w, delay)
		}
	}
	if again := n.Waits(); len(again) != 0 {
		t.Errorf("%d waits are told twice", len(again))
	}
}

func TestFlights(t *testing.T) {
	for _, test := range []struct {
		name string
		says []int // messages before each read
		want int64
	}{
		{"nothing said", nil, 0},
		{"one question", []int{1}, 1},
		{"three pipelined writes", []int{3}, 1},
		{"five questions in turn", []int{1, 1, 1, 1, 1}, 5},
		{"a pipeline between questions", []int{1, 3, 1}, 3},
	} {
		for _, delay := range []time.Duration{0, 200 * time.Microsecond, 3 * time.Millisecond} {
			var n Network
			c := dialEcho(t, &n)
			n.SetDelay(delay)
			start := time.Now()
			for _, messages := range test.says {
				say(t, c, messages)
			}
			if took, least := time.Since(start), time.Duration(test.want)*delay; took < least {
				t.Errorf("%s at %v: took %v, want at least %v", test.name, delay, took, least)
			}
			if got := n.Flights(); got != test.want {
				t.Errorf("%s at %v: %d flights, want %d", test.name, delay, got, test.want)
			}
		}
	}
}

func TestResetAndSharedCount(t *testing.T) {
	var n Network
	first, second := dialEcho(t, &n), dialEcho(t, &n)
	say(t, first, 1)
	say(t, second, 1)
	if was := n.Reset(); was != 2 || n.Flights() != 0 {
		t.Errorf("two connections made %d flights, %d after the reset, want 2 and 0", was, n.Flights())
	}
	say(t, first, 2)
	if got := n.Flights(); got != 1 {
		t.Errorf("%d flights after the reset, want 1", got)
	}
}

// One connection serves with the delay and without.
func TestSetDelay(t *testing.T) {
	var n Network
	c := dialEcho(t, &n)
	n.SetDelay(time.Hour)
	n.SetDelay(-time.Second)
	if got := n.Delay(); got != 0 {
		t.Errorf("a negative delay became %v, want 0", got)
	}
	say(t, c, 1)
	n.SetDelay(20 * time.Millisecond)
	start := time.Now()
	say(t, c, 1)
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("took %v, want at least the 20 ms set meanwhile", took)
	}
}

func TestDialErrorIsPassedOn(t *testing.T) {
	refused := errors.New("refused")
	dial := new(Network).DialFunc(func(context.Context, string, string) (net.Conn, error) { return nil, refused })
	if c, err := dial(context.Background(), "unix", "/nowhere"); err != refused || c != nil {
		t.Errorf("got %v, %v, want the error of the dialler", c, err)
	}
}
