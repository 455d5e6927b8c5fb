package runner

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// strange is every way to be more than text in Markdown as GitHub reads it.
var strange = []string{
	"a|b", `a\|b`, "<img src=x onerror=alert(1)>", "<!-- x", "&lt;b&gt; &amp; &#64;x", "**bold** _slanted_ ~~gone~~", "`code` ```", "[x](http://a.example) ![y](z)",
	"[ref]: http://a.example", "[^1] [x]", "- list", "+ list", "* list", "1. list", "23) list", "# head", "> quote", "--- ", "===", "| a | b |", "    code",
	"@someone and @a/team", "#1 and gh-1 and GH-22 and a/b#3", "https://a.example/x http://b ftp://c www.d.example a@b.example mailto:a@b.example",
	"<https://a.example>", ":tada: :+1:", "$x$ $$y$$", "two\n\n# lines\r\n", "\x1b[31mred", `ends in \`, "trailing #", "::", "-1.5 and .5 and 2.31×",
}

// hostileSummary says each of them everywhere.
func hostileSummary(claims int) []byte {
	f := &Folder{tables: map[string]Tables{"e": {}}, Record: Record{Scale: "a|b"}}
	var all []Outcome
	for i, s := range strange {
		f.Record.Experiments = append(f.Record.Experiments, Outline{Experiment: "e", Title: s, Question: s, Error: s, Answer: []Sentence{{Text: s}, {Text: s}}})
		all = append(all, Outcome{Claim: Claim{ID: s, Published: s, Unit: "text"}, Cells: []Cell{{Text: strange[len(strange)-1-i], Label: s}}})
	}
	for i := range claims {
		all = append(all, Outcome{Claim: Claim{ID: fmt.Sprint("s1.", i), Published: strings.Repeat("x", 5000)}})
	}
	return summaryMarkdown(f, all)
}

// count counts the nodes of a document by their kind.
func count(t *testing.T, document []byte) (map[string]int, string) {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	kinds := map[string]int{}
	err := ast.Walk(md.Parser().Parse(text.NewReader(document)), func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if in {
			kinds[n.Kind().String()]++
		}
		return ast.WalkContinue, nil
	})
	var html bytes.Buffer
	if err := errorsOf(err, md.Convert(document, &html)); err != nil {
		t.Fatal(err)
	}
	return kinds, html.String()
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestMarkdownOfStrangersIsText(t *testing.T) {
	n := len(strange)
	kinds, html := count(t, hostileSummary(0))
	for kind, want := range map[ast.NodeKind]int{
		ast.KindHeading: 1 + n, ast.KindList: n, ast.KindListItem: 2 * n, ast.KindEmphasis: n, ast.KindParagraph: 2*n + 1,
		extast.KindTable: 1, extast.KindTableRow: n, extast.KindTableCell: 4 * (n + 1),
		ast.KindLink: 0, ast.KindAutoLink: 0, ast.KindImage: 0, ast.KindRawHTML: 0, ast.KindHTMLBlock: 0, ast.KindCodeSpan: 0, ast.KindCodeBlock: 0,
		ast.KindFencedCodeBlock: 0, ast.KindBlockquote: 0, ast.KindThematicBreak: 0, extast.KindStrikethrough: 0, extast.KindTaskCheckBox: 0,
	} {
		if got := kinds[kind.String()]; got != want {
			t.Errorf("%d of kind %s, want %d", got, kind, want)
		}
	}
	// What reads the text that the parser makes finds a zero-width space.
	for _, bad := range []string{"@someone", "@a", "@b", "#1", "#3", "gh-1", "GH-22", "://", "www.", ":tada:", ":+1:", "\x1b"} {
		if strings.Contains(html, bad) {
			t.Errorf("the text holds %q", bad)
		}
	}
	for _, want := range []string{"a|b", `a\|b`, "&lt;img src=x onerror=alert(1)&gt;", "&amp;lt;b&amp;gt; &amp;amp; ", "$x$ $$y$$", "**bold** _slanted_ ~~gone~~", "1. list", `ends in \`, "-1.5 and .5 and 2.31×"} {
		if !strings.Contains(html, want) {
			t.Errorf("the text does not hold %q", want)
		}
	}
}

func TestMarkdownFits(t *testing.T) {
	small := hostileSummary(0)
	if bytes.Contains(small, []byte("This is cut")) {
		t.Errorf("%d bytes are cut", len(small))
	}
	for _, claims := range []int{100, 3000} {
		large := hostileSummary(claims)
		if len(large) > 65_536 { // an issue's body; 1 MiB is a step's summary
			t.Errorf("%d claims make %d bytes", claims, len(large))
		}
		lines := strings.Split(strings.TrimSpace(string(large)), "\n")
		shown := strings.Count(string(large), "| s1.")
		want := fmt.Sprintf("This is cut: %d more lines of it are in summary.txt and claims.csv.", claims-shown)
		if last := lines[len(lines)-1]; last != want || shown == 0 {
			t.Errorf("ends with %q after %d claims, want %q", last, shown, want)
		}
		if kinds, _ := count(t, large); kinds[extast.KindTableRow.String()] != len(strange)+shown {
			t.Errorf("the table has %d rows, want %d", kinds[extast.KindTableRow.String()], len(strange)+shown)
		}
	}
}
