package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var flagLine = regexp.MustCompile(`(?m)^    --([a-z-]+)`)

// The usage text is the specification: it names the flags that are parsed and
// no others.
func TestUsageNamesEveryFlag(t *testing.T) {
	var o options
	for word, flags := range map[string]*pflag.FlagSet{
		"run": o.runFlags(), "report": o.reportFlags(), "bundle": o.bundleFlags(), "list": newFlags(), "verify-archive": newFlags(), "version": newFlags(), "help": newFlags(),
	} {
		parsed := []string{"help"}
		flags.VisitAll(func(f *pflag.Flag) { parsed = append(parsed, f.Name) })
		var written []string
		for _, m := range flagLine.FindAllStringSubmatch(wordTexts[word], -1) {
			written = append(written, m[1])
		}
		slices.Sort(parsed)
		slices.Sort(written)
		if !slices.Equal(parsed, written) {
			t.Errorf("%s: the text has %q, parsed are %q", word, written, parsed)
		}
	}
}

func TestUsageNamesEveryWord(t *testing.T) {
	for _, w := range words {
		if !regexp.MustCompile(`(?m)^    deletecost \[?` + w + `\b`).MatchString(usageText) {
			t.Errorf("the usage text lacks %q", w)
		}
		if wordTexts[w] == "" {
			t.Errorf("%q has no text of its own", w)
		}
	}
}

func TestUsageFitsATerminal(t *testing.T) {
	for _, text := range []string{usageText, runText, listText, reportText, bundleText, verifyArchiveText, versionText, helpText} {
		for _, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)); n > 90 || strings.Contains(line, "\t") {
				t.Errorf("%d columns: %q", n, line)
			}
		}
	}
}
