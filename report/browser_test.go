package report

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	devtools "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// visit is a page in Chromium with all that it said and asked for.
type visit struct {
	ctx context.Context
	mu  sync.Mutex
	// messages of the console, dialogs, exceptions and broken policies
	messages []string
	requests []string
}

// chromium finds the browser; where CI is set it must be there.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("Chromium is not installed, and CI requires it")
	}
	t.Skip("Chromium is not installed: the page is not tested in a browser")
	return ""
}

// browse opens html under file:// and waits until its figures are drawn.
func browse(t *testing.T, html []byte, before ...chromedp.Action[chromedp.Void]) *visit {
	t.Helper()
	path := chromium(t)
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, html, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1400, 900))...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	v := &visit{ctx: ctx}
	t.Cleanup(func() {
		// The browser must be gone before its folder is removed.
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("closing Chromium: %v", err)
		}
		stop()
	})
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(name)}
	steps := append([]chromedp.Action[chromedp.Void]{do(network.Enable, network.EnableParams{}), do(log.Enable, cdp.Empty{}), do(audits.Enable, cdp.Empty{})}, before...)
	if err := errors.Join(chromedp.Listen(ctx, v.hear), chromedp.Do(ctx, append(steps, chromedp.Navigate(address.String()))...)); err != nil {
		t.Fatalf("opening the page in Chromium: %v", err)
	}
	return v
}

// do is a command of the browser that gives nothing back.
func do[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// screen is a window of a width in pixels under a colour scheme.
func screen(width int64, scheme string) []chromedp.Action[chromedp.Void] {
	return []chromedp.Action[chromedp.Void]{
		do(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1}),
		do(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
	}
}

func (v *visit) hear(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		v.messages = append(v.messages, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		v.messages = append(v.messages, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		v.messages = append(v.messages, e.Entry.Text)
	case *audits.EventIssueAdded:
		v.messages = append(v.messages, string(e.Issue.Code)+describe(e.Issue.Details))
	case *devtools.EventJavascriptDialogOpening:
		v.messages = append(v.messages, "dialog: "+e.Message)
	case *network.EventRequestWillBeSent:
		v.requests = append(v.requests, e.Request.URL)
	}
}

func describe(d *audits.InspectorIssueDetails) string {
	if csp := d.ContentSecurityPolicyIssueDetails; csp != nil {
		return ": " + csp.ViolatedDirective + " " + csp.BlockedURL
	}
	if generic := d.GenericIssueDetails; generic != nil {
		return fmt.Sprintf(": %s", generic.ErrorType)
	}
	return ""
}

// eval runs an expression in the page.
func eval[T any](t *testing.T, v *visit, expression string) T {
	t.Helper()
	result, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("evaluating %s: %v", expression, err)
	}
	return result
}

// clean fails the test when the page said anything or asked for anything but
// itself.
func (v *visit) clean(t *testing.T) {
	t.Helper()
	for _, m := range v.heard() {
		t.Errorf("the page says: %s", m)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, r := range v.requests {
		if i > 0 && !strings.HasPrefix(r, "data:") {
			t.Errorf("the page requests %s", r)
		}
	}
	if len(v.requests) == 0 {
		t.Error("no request was heard, not even the page's own")
	}
}

// heard is what the page has said so far.
func (v *visit) heard() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.messages)
}

// TestVisitHearsWhatAPageMustNotDo proves that the tests above can fail.
func TestVisitHearsWhatAPageMustNotDo(t *testing.T) {
	for name, body := range map[string]string{
		"console": `<script>console.log("a")</script>`,
		"policy":  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p style="color: red">a</p>`,
		"error":   `<script>nothing.at.all()</script>`,
	} {
		if v := browse(t, []byte("<!DOCTYPE html><title>a</title>"+body)); len(v.heard()) == 0 {
			t.Errorf("%s: nothing was heard", name)
		}
	}
	v := browse(t, []byte(`<!DOCTYPE html><title>a</title><link rel="stylesheet" href="missing.css">`))
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.requests) != 2 {
		t.Errorf("requests %q, want the page's and the style's", v.requests)
	}
}
