package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fonts are those of a picture on its own; within the page it has the page's.
const fonts = `system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif`

// svgAttributes are those that a picture keeps of its elements, beside its
// colours and the font of a text. Nothing of it can run, refer or style.
var svgAttributes = map[string][]string{
	"g":        {"transform"},
	"path":     {"d", "transform", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "stroke-opacity"},
	"rect":     {"x", "y", "width", "height", "transform", "stroke-width", "opacity", "fill-opacity", "stroke-opacity"},
	"circle":   {"cx", "cy", "r", "transform", "stroke-width", "opacity", "fill-opacity", "stroke-opacity"},
	"ellipse":  {"cx", "cy", "rx", "ry", "transform", "stroke-width", "opacity", "fill-opacity", "stroke-opacity"},
	"line":     {"x1", "y1", "x2", "y2", "transform", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity"},
	"polyline": {"points", "transform", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "fill-opacity", "stroke-opacity"},
	"polygon":  {"points", "transform", "stroke-width", "stroke-linejoin", "opacity", "fill-opacity", "stroke-opacity"},
	"text":     {"x", "y", "transform", "text-anchor", "dominant-baseline", "opacity"},
	"tspan":    {"x", "y", "dx", "dy"},
}

// picture is the SVG of ECharts in its pieces; its colours are references to
// those of the page's style.
type picture []xml.Token

// painting is such a picture written anew with the colours of one scheme.
type painting struct {
	out     strings.Builder
	colours colours
}

// newPicture leaves out the elements that a picture does not need, with all in
// them. It fails when the SVG is not well-formed.
func newPicture(svg string) (picture, error) {
	decoder := xml.NewDecoder(strings.NewReader(strings.Map(printable, svg)))
	var all picture
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if t, ok := token.(xml.StartElement); ok && t.Name.Local != "svg" && (svgAttributes[t.Name.Local] == nil || unpainted(t)) {
			err, token = decoder.Skip(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the SVG of ECharts: %w", err)
		}
		if token != nil {
			all = append(all, xml.CopyToken(token))
		}
	}
}

// repaint keeps of a picture what it needs, in presentation attributes and with
// the colours that it refers to. head begins the element svg and gets its size.
func (pic picture) repaint(c colours, head func(size string) string) string {
	p := &painting{colours: c}
	for _, token := range pic {
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "svg" {
				p.out.WriteString(head(fmt.Sprintf(`width="%s" height="%s" viewBox="0 0 %[1]s %[2]s"`,
					escaped(attribute(t, "width")), escaped(attribute(t, "height")))))
			} else {
				p.begin(t)
			}
		case xml.EndElement:
			p.out.WriteString("</" + t.Name.Local + ">")
		case xml.CharData:
			if text := string(t); text != "\n" {
				p.out.WriteString(escaped(text))
			}
		}
	}
	return p.out.String()
}

// height is that of the picture, in pixels.
func (pic picture) height() float64 {
	for _, token := range pic {
		if t, ok := token.(xml.StartElement); ok && t.Name.Local == "svg" {
			h, _ := strconv.ParseFloat(attribute(t, "height"), 64) // 0 of what is no number
			return h
		}
	}
	return 0
}

// inner is the picture without its element svg.
func (pic picture) inner(c colours) string {
	return strings.TrimSuffix(pic.repaint(c, func(string) string { return "" }), "</svg>")
}

// begin writes an element with the attributes that it keeps.
func (p *painting) begin(t xml.StartElement) {
	p.out.WriteString("\n<" + t.Name.Local)
	for _, a := range t.Attr {
		switch name := a.Name.Local; {
		case name == "fill" && attribute(t, "fill-opacity") == "0", name == "fill-opacity" && a.Value == "0":
			if name == "fill" {
				p.write(name, "none")
			}
		case name == "fill", name == "stroke":
			p.write(name, p.colours.of(a.Value))
		case name == "d", name == "transform":
			p.write(name, decimals.ReplaceAllString(a.Value, "$1"))
		case name == "style" && (t.Name.Local == "text" || t.Name.Local == "tspan"):
			if weight := fontWeight.FindStringSubmatch(a.Value); weight != nil {
				p.write("font-weight", weight[1])
			}
		case slices.Contains(svgAttributes[t.Name.Local], name):
			p.write(name, a.Value)
		}
	}
	p.out.WriteString(">")
}

func (p *painting) write(name, value string) {
	p.out.WriteString(" " + name + `="` + escaped(value) + `"`)
}

var (
	// decimals are the second and later ones: pixels need no more than one and a half.
	decimals   = regexp.MustCompile(`(\.\d\d)\d+`)
	fontWeight = regexp.MustCompile(`font-weight:\s*(bold|normal|\d+)`)
)

// unpainted says whether an element leaves no trace.
func unpainted(t xml.StartElement) bool {
	if t.Name.Local == "g" || t.Name.Local == "text" || t.Name.Local == "tspan" {
		return false
	}
	none := func(name string) bool { return attribute(t, name) == "none" || attribute(t, name+"-opacity") == "0" }
	return none("fill") && (attribute(t, "stroke") == "" || none("stroke"))
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// printable leaves out what XML cannot hold.
func printable(r rune) rune {
	if r == '\t' || r == '\n' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 {
		return r
	}
	return -1
}

func escaped(text string) string {
	var out strings.Builder
	// A builder takes whatever it is given.
	_ = xml.EscapeText(&out, []byte(strings.Map(printable, text)))
	return out.String()
}
