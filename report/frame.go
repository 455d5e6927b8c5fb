package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deletecost/runner"
)

// Of a picture that stands alone.
const (
	frameEdge  = 16 // pixels left and right of its words
	titleSize  = 16
	wordSize   = 12
	sourceSize = 11
)

// frame are the words around a picture that stands alone: what the page has around it, and where it comes from.
type frame struct {
	Title, Caption string
	Source         string // program, server, scale, seed and date
	Command        string // makes the figure again
}

func newFrame(r runner.Record, o runner.Outline, f runner.Figure) frame {
	return frame{Title: f.Title, Caption: f.HowToRead, Source: source(r), Command: reproduction(r, o)}
}

// source says what a figure comes from.
func source(r runner.Record) string {
	all := []string{r.Program}
	if r.PostgreSQL.Version != "" {
		all = append(all, "PostgreSQL "+r.PostgreSQL.Version)
	}
	if r.Scale != "" {
		all = append(all, string(r.Scale)+" scale")
	}
	all = append(all, "seed "+strconv.FormatUint(r.Seed, 10))
	if !r.Started.IsZero() {
		all = append(all, r.Started.UTC().Format("2 January 2006"))
	}
	return strings.Join(all, " · ")
}

// reproduction is the command that runs an experiment again as it was run, without what only says where things are.
func reproduction(r runner.Record, o runner.Outline) string {
	words := []string{o.Experiment}
	if o.Experiment == wholeRun {
		words = nil
		for _, e := range r.Experiments {
			words = append(words, e.Experiment)
		}
	}
	switch {
	case r.PostgreSQL.Version == "":
	case r.PostgreSQL.Pinned:
		words = append(words, "--pg", r.PostgreSQL.Version)
	default:
		words = append(words, "--pg-bin", "DIR")
	}
	if r.Scale != "" {
		words = append(words, "--scale", string(r.Scale))
	}
	words = append(words, "--seed", strconv.FormatUint(r.Seed, 10))
	for _, set := range setWords(r.Command) {
		if o.Experiment == wholeRun || strings.HasPrefix(set, o.Experiment+".") {
			words = append(words, "--set", set)
		}
	}
	return command(words)
}

// setWords are the values of --set on a command line.
func setWords(words []string) []string {
	var all []string
	for i, w := range words {
		if value, glued := strings.CutPrefix(strings.TrimPrefix(w, "-"), "-set="); glued && strings.HasPrefix(w, "-") {
			all = append(all, value)
		}
		if (w == "--set" || w == "-set") && i+1 < len(words) {
			all = append(all, words[i+1])
		}
	}
	return all
}

// around writes what stands above a picture of a height, up to it, and what stands beneath, from its end on.
func (f frame) around(c colours, height float64) (above, beneath string) {
	p := &painting{colours: c}
	y := 10.0
	y = p.words(f.Title, "ink", titleSize, ` font-weight="650"`, y)
	y = p.words(f.Caption, "quiet", wordSize, "", y+4) + 8
	above = p.out.String() + "\n" + `<g transform="translate(0 ` + decimal(y) + `)">`
	p.out.Reset()
	p.out.WriteString("\n</g>")
	y = p.words(f.Source, "quiet", sourceSize, "", y+height+6)
	y = p.words(f.Command, "quiet", sourceSize, ` font-family="monospace"`, y+2) + 12
	p.out.WriteString("\n</svg>\n")
	return f.head(c, y) + above, p.out.String()
}

// words writes lines from y on and returns where they end.
func (p *painting) words(text, colour string, size float64, extra string, y float64) float64 {
	em := emOf
	if strings.Contains(extra, "monospace") {
		em = monospaced
	}
	for _, line := range lettered(text, size, stillWidth-2*frameEdge, em) {
		y += size * 1.4
		fmt.Fprintf(&p.out, "\n"+`<text x="%d" y="%s" font-size="%s" fill="%s"%s>%s</text>`,
			frameEdge, decimal(tenths(y)), decimal(size), escaped(p.colours[colour]), extra, escaped(line))
	}
	return tenths(y + size*0.3)
}

// tenths rounds pixels.
func tenths(v float64) float64 { return float64(int(v*10+0.5)) / 10 }

// head begins the element svg.
func (f frame) head(c colours, height float64) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %[1]d %[2]s" role="img" font-family="%[3]s" font-size="12">`,
		stillWidth, decimal(height), escaped(fonts)) +
		"\n<title>" + escaped(f.Title) + "</title>\n<desc>" + escaped(strings.Join(slices.DeleteFunc([]string{f.Caption, f.Source, f.Command},
		func(s string) bool { return s == "" }), "\n")) + "</desc>" +
		"\n" + `<rect width="100%" height="100%" fill="` + escaped(c["raised"]) + `"/>`
}
