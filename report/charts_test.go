package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"deletecost/runner"
)

// drawn are the pictures of a folder.
func drawn(t *testing.T, f *runner.Folder) map[string][]byte {
	t.Helper()
	all, err := Charts(f, echarts(t))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// elements reads a picture to its end; text is what all of them hold.
func elements(t *testing.T, svg []byte) (all []xml.StartElement, text string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, text
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			all = append(all, e.Copy())
		case xml.CharData:
			text += string(e)
		}
	}
}

func TestChartsOfEveryFigureLightAndDark(t *testing.T) {
	all := drawn(t, open(t))
	var want []string
	for _, name := range []string{"heap", "latency", "matrix", "ratios", "total", "waits"} {
		want = append(want, "softdelete-"+name+"-dark.svg", "softdelete-"+name+".svg")
	}
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for name, ground := range map[string]string{"softdelete-heap.svg": "#ffffff", "softdelete-heap-dark.svg": "#1e2125"} {
		parts, text := elements(t, all[name])
		i := slices.IndexFunc(parts, func(e xml.StartElement) bool { return e.Name.Local == "rect" })
		if i < 0 || attribute(parts[i], "fill") != ground || attribute(parts[i], "width") != "100%" {
			t.Errorf("%s does not lie on %s", name, ground)
		}
		for _, want := range []string{"The heap that soft deletion keeps", "hard", "soft", "MiB"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}

func TestChartsReferToNothing(t *testing.T) {
	for name, svg := range drawn(t, open(t)) {
		onlyDrawn(t, name, svg)
		if bytes.Contains(svg, []byte("var(")) || bytes.Contains(svg, []byte("url(")) {
			t.Errorf("%s refers to something outside of it", name)
		}
	}
}

// onlyDrawn fails the test when a picture holds more than shapes and words.
func onlyDrawn(t *testing.T, name string, svg []byte) {
	t.Helper()
	parts, _ := elements(t, svg)
	for _, e := range parts {
		if !slices.Contains([]string{"svg", "title", "desc", "rect", "g", "path", "text"}, e.Name.Local) {
			t.Errorf("%s holds an element %s", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			if n := a.Name.Local; n == "href" || n == "style" || n == "id" || n == "class" || strings.HasPrefix(n, "on") {
				t.Errorf("%s: element %s has an attribute %s", name, e.Name.Local, n)
			}
			if n := a.Name.Local; (n == "fill" || n == "stroke") && a.Value != "none" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("%s: element %s has the %s %q", name, e.Name.Local, n, a.Value)
			}
		}
	}
}

func TestChartsTwiceGiveTheSameBytes(t *testing.T) {
	first := drawn(t, open(t))
	for range 2 {
		artists.Clear() // it would remember
		for name, again := range drawn(t, open(t)) {
			if !bytes.Equal(first[name], again) {
				t.Errorf("%s differs after %d bytes", name, len(common(first[name], again)))
			}
		}
	}
}

func TestChartsWithoutECharts(t *testing.T) {
	if all, err := Charts(open(t), nil); len(all) > 0 || err != nil {
		t.Errorf("%d files, %v, want none", len(all), err)
	}
	if _, err := Charts(open(t), []byte("no script (")); err == nil {
		t.Error("what is no script was taken for ECharts")
	}
}

func TestChartsOfHostileText(t *testing.T) {
	f := hostileFolder(t)
	f.Record.Experiments[0].Figures[0].Title += "\x01"
	all := drawn(t, f)
	if len(all) != 6 {
		t.Errorf("files %q, want those of the three figures that can be drawn", slices.Sorted(maps.Keys(all)))
	}
	for name, svg := range all {
		if fileName(strings.TrimSuffix(name, ".svg")) != strings.TrimSuffix(name, ".svg") {
			t.Errorf("the file is named %q", name)
		}
		onlyDrawn(t, name, svg)
		want := 3
		if strings.HasPrefix(name, "e-cells") {
			want = 2 // it has no legend
		}
		if _, text := elements(t, svg); strings.Count(text, hostile) < want {
			t.Errorf("%s does not hold the text of title, legend and axis as it is: %s", name, text)
		}
	}
}

func TestChartsRefuseTwoFiguresOfOneName(t *testing.T) {
	f := open(t)
	o := &f.Record.Experiments[0]
	o.Figures = append(o.Figures, o.Figures[0])
	if _, err := Charts(f, stub); err == nil || !strings.Contains(err.Error(), `two are named "softdelete-heap"`) {
		t.Errorf("error %v, want one that names the file", err)
	}
}
