package cli

import (
	"encoding/xml"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestJUnitFileThatIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"mine": "a letter", "out.xml": "<html></html>"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"mine":         `--junit "mine" exists and is not JUnit XML: name a new file, or the one of an earlier run`,
		"out.xml":      `--junit "out.xml" exists and is not JUnit XML: name a new file, or the one of an earlier run`,
		".":            `--junit "." is not a file: name a new one`,
		"none/out.xml": `--junit "none/out.xml" cannot be written: no such file or directory: name a file in a folder that exists`,
		"mine/out.xml": `--junit "mine/out.xml" cannot be written: not a directory: name a file in a folder that exists`,
	} {
		_, err := openJUnit(name, someTime)
		if !is[*usageError](err) || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
	if text, err := os.ReadFile("mine"); string(text) != "a letter" || err != nil {
		t.Errorf("mine holds %q, %v", text, err)
	}
}

// The file says at any moment what is known, and an earlier run's is replaced.
func TestJUnitFileIsNeverStale(t *testing.T) {
	t.Chdir(t.TempDir())
	errorIn := func() string {
		t.Helper()
		text, err := os.ReadFile("out.xml")
		if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		_, rest, _ := strings.Cut(string(text), `<error message="`)
		message, _, _ := strings.Cut(rest, `"`)
		return message
	}
	for _, failed := range []string{strings.Repeat("a long story ", 100) + "ended", "a short one"} {
		j, err := openJUnit("out.xml", someTime)
		if err != nil {
			t.Fatal(err)
		}
		if got := errorIn(); got != "the run was killed before it ended" {
			t.Errorf("while it runs the file says %q", got)
		}
		if err := j.close(errors.New(failed)); err != nil {
			t.Fatal(err)
		}
		if got := errorIn(); got != failed {
			t.Errorf("the file says %q, want %q", got, failed)
		}
	}
}

func TestJUnitWithoutTheFlag(t *testing.T) {
	j, err := openJUnit("", someTime)
	if j.hold(); j != nil || err != nil || j.close(errors.New("x")) != nil {
		t.Errorf("%v, %v", j, err)
	}
}
