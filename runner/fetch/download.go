package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	downloadLimit = 200 << 20 // bytes; the largest pinned archive has 24 MB
	redirectLimit = 5
)

// The limits in time of one download. They are variables for the tests.
var (
	stallLimit = 30 * time.Second // without a byte
	totalLimit = 10 * time.Minute
)

var (
	errStalled = errors.New("nothing arrived for too long")
	errTooLong = errors.New("it took too long")
)

// download is a whole answer in memory.
type download struct {
	status int
	header http.Header
	body   []byte
}

// get downloads one address. It is bounded in bytes, in time, in time without a byte and in redirects, and ends with its context. progress is told the
// bytes so far and the bytes announced (0 when unknown).
func get(ctx context.Context, address string, progress func(done, total int64)) (download, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, totalLimit, errTooLong)
	defer stop()
	stall := time.AfterFunc(stallLimit, func() { cancel(errStalled) })
	defer stall.Stop()

	d, err := request(ctx, address, func(done, total int64) {
		stall.Reset(stallLimit)
		progress(done, total)
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return download{}, fmt.Errorf("downloading %s: %w", redacted(address), cause)
	}
	return d, err
}

// redacted is an address without its password.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	return u.Redacted()
}

func request(ctx context.Context, address string, progress func(done, total int64)) (download, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return download{}, err
	}
	client, idle := newClient()
	defer idle()
	resp, err := client.Do(req)
	if err != nil {
		return download{}, err
	}
	defer resp.Body.Close()
	if resp.ContentLength > downloadLimit {
		return download{}, fmt.Errorf("downloading %s: %w (%d bytes announced)", req.URL.Redacted(), errTooLarge, resp.ContentLength)
	}
	body, err := io.ReadAll(&boundedReader{ctx, &meter{r: resp.Body, total: max(resp.ContentLength, 0), report: progress}, downloadLimit, errTooLarge})
	if err != nil {
		return download{}, fmt.Errorf("downloading %s: %w", req.URL.Redacted(), err)
	}
	return download{resp.StatusCode, resp.Header, body}, nil
}

// newClient makes a client of its own, since http.DefaultClient is borrowed for embedded-postgres; the proxy settings of the environment hold for both.
func newClient() (client *http.Client, idle func()) {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		transport = t.Clone()
	}
	transport.DisableCompression = true // so that the length announced is the length that counts
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}, transport.CloseIdleConnections
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > redirectLimit {
		return fmt.Errorf("more than %d redirects", redirectLimit)
	}
	if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("redirected from https to %s", req.URL.Scheme)
	}
	return nil
}

// meter reports how much was read.
type meter struct {
	r           io.Reader
	done, total int64
	report      func(done, total int64)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.done += int64(n)
		m.report(m.done, m.total)
	}
	return n, err
}
