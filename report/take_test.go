package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"deletecost/runner"
)

// allowed lets a page read what it copied, as a person would by pasting.
func allowed() []chromedp.Action[chromedp.Void] {
	var all []chromedp.Action[chromedp.Void]
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		all = append(all, do(browser.SetPermission, browser.SetPermissionParams{Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted}))
	}
	return append(all, do(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
}

// click presses a button of the figure and waits for what it says.
func click(t *testing.T, v *visit, figure, what, kind string) string {
	t.Helper()
	bar := `document.querySelector("#` + figure + ` .take")`
	eval[bool](t, v, bar+`.querySelector("output").textContent = "", true`)
	press(t, v, bar+`.querySelector('[data-what="`+what+`"][data-kind="`+kind+`"]')`)
	wait(t, v, bar+`.querySelector("output").textContent !== ""`)
	return eval[string](t, v, bar+`.querySelector("output").textContent`)
}

// pasted is what the clipboard holds of a type, in base 64.
func pasted(t *testing.T, v *visit, kind string) []byte {
	t.Helper()
	eval[bool](t, v, `window.pasted = null, navigator.clipboard.read().then(all => all[0].getType("`+kind+`")).then(b => b.arrayBuffer())
		.then(b => { window.pasted = btoa(Array.from(new Uint8Array(b), c => String.fromCharCode(c)).join("")); }, e => { window.pasted = "no: " + e; }), true`)
	wait(t, v, `window.pasted !== null`)
	text := eval[string](t, v, `window.pasted`)
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatalf("the clipboard gives %s", text)
	}
	return out
}

func TestFiguresAreCopied(t *testing.T) {
	f := open(t)
	v := browse(t, render(t, f, echarts(t)), append(screen(1400, "dark"), allowed()...)...)
	const heap = "softdelete-heap"
	if got := click(t, v, heap, "copy", "SVG"); got != "copied" {
		t.Fatalf("copying says %q", got)
	}
	svg := pasted(t, v, "text/plain")
	copied, text := elements(t, svg)
	if file, words := elements(t, drawn(t, f)[heap+".svg"]); !reflect.DeepEqual(copied, file) || text != words {
		t.Errorf("what is copied is not as charts/%s.svg: %d and %d elements", heap, len(copied), len(file))
	}
	figure := f.Record.Experiments[0].Figures[0]
	for _, want := range []string{figure.Title, "PostgreSQL 17.10", "seed 1234", "deletecost softdelete --pg 17.10 --scale laptop --seed 1234"} {
		if !strings.Contains(text, want) {
			t.Errorf("the copied SVG does not say %q: %s", want, text)
		}
	}
	if got := click(t, v, heap, "copy", "PNG"); got != "copied" {
		t.Fatalf("copying says %q", got)
	}
	image := pasted(t, v, "image/png")
	if !bytes.HasPrefix(image, []byte("\x89PNG\r\n\x1a\n")) || binary.BigEndian.Uint32(image[16:]) != 2*stillWidth {
		t.Errorf("%d bytes are copied that are no PNG of 1,440 pixels", len(image))
	}
	if got := click(t, v, heap, "copy", "Markdown"); got != "copied" {
		t.Fatalf("copying says %q", got)
	}
	markdownOf(t, string(pasted(t, v, "text/plain")), f)
	v.clean(t)
}

// markdownOf holds a copied table against what the figure draws.
func markdownOf(t *testing.T, text string, f *runner.Folder) {
	t.Helper()
	rows := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") {
			rows++
		}
	}
	table := f.Tables("softdelete")[f.Record.Experiments[0].Figures[0].Layers[0].Table]
	if want := 2 + len(table.Rows); rows != want {
		t.Errorf("%d lines of a table, want %d with its head:\n%s", rows, want, text)
	}
	for _, want := range []string{"**" + f.Record.Experiments[0].Figures[0].Title + "**", "\n    deletecost softdelete --pg 17.10", "PostgreSQL 17.10"} {
		if !strings.Contains(text, want) {
			t.Errorf("the Markdown does not hold %q:\n%s", want, text)
		}
	}
}

// What a page may not copy it saves, and says so.
func TestWithoutClipboardFiguresAreSaved(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), screen(1400, "light")...)
	eval[bool](t, v, `window.saved = [], Object.defineProperty(navigator, "clipboard", { value: undefined }), document.execCommand = () => false,
		HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); }, true`)
	for kind, name := range map[string]string{"SVG": "softdelete-heap.svg", "PNG": "softdelete-heap.png", "Markdown": "softdelete-heap.md"} {
		if got, want := click(t, v, "softdelete-heap", "copy", kind), "saved as "+name+", since this browser does not let the page copy"; got != want {
			t.Errorf("%s: says %q, want %q", kind, got, want)
		}
		if got := click(t, v, "softdelete-heap", "save", kind); got != "saved as "+name {
			t.Errorf("%s: says %q", kind, got)
		}
	}
	if n := eval[int](t, v, `window.saved.length`); n != 6 {
		t.Errorf("%d files saved, want 6", n)
	}
	v.clean(t)
}

// press clicks in the middle of an element, as a person would.
func press(t *testing.T, v *visit, element string) {
	t.Helper()
	at := eval[[2]float64](t, v, `(() => { const b = `+element+`; b.scrollIntoView({ block: "center" });
		const r = b.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	if err := chromedp.Do(v.ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
		t.Fatal(err)
	}
}

func TestLinksAreCopiedAndLeadToFoldedPlaces(t *testing.T) {
	v := browse(t, render(t, open(t), echarts(t)), append(screen(1400, "light"), allowed()...)...)
	press(t, v, `document.querySelector("#softdelete-latency a.place")`)
	wait(t, v, `document.querySelector("#softdelete-latency a.place").dataset.said === "link copied"`)
	if got := string(pasted(t, v, "text/plain")); !strings.HasPrefix(got, "file://") || !strings.HasSuffix(got, "report.html#softdelete-latency") {
		t.Errorf("copied %q, want the page's address with the figure's anchor", got)
	}
	const folded = `[...document.querySelectorAll(".part a")].find(a => document.getElementById(decodeURIComponent(a.hash.slice(1))).closest("details:not([open])"))`
	wait(t, v, `(window.link = `+folded+`) !== undefined`)
	press(t, v, `window.link`)
	wait(t, v, `document.getElementById(decodeURIComponent(window.link.hash.slice(1))).closest("details").open`)
	if n := eval[int](t, v, `[...document.querySelectorAll("a.place")].filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).length`); n != 0 {
		t.Errorf("%d links lead nowhere", n)
	}
	v.clean(t)
}
