package archive

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The Python of docs/archive-format.md, which shares nothing with this package,
// computes the digests that the manifest has.
func TestDigestByTheDocumentation(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	text, err := os.ReadFile("../../../docs/archive-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(text), "$ cat digest.py\n")
	script, _, found := strings.Cut(script, "$ python3 digest.py\n")
	if !found {
		t.Fatal("docs/archive-format.md has no digest.py")
	}
	b := newBed(t, "17")
	b.exec(`CREATE TABLE a (id bigint, at date NOT NULL, body text, amount numeric, score float8, ok boolean, raw json, tags text[], bits bytea, fixed char(4)) PARTITION BY RANGE (at);
		CREATE TABLE a_old PARTITION OF a FOR VALUES FROM ('2001-03-01') TO ('2001-04-01')`)
	b.exec(`INSERT INTO a VALUES (9223372036854775807, '2001-03-05', E'a\\b\tc\nd\re\bf\fg\vh\x01"é😀', 'NaN', '-0', true, E'{"a":1,\n"a":2}', '[0:1]={x,NULL}', '\x00ff', 'ab'),
		(-1, '2001-03-06', '\N', 12345678901234567890.10, 1e-300, false, 'null', '{}', '', ''); INSERT INTO a (at) VALUES ('2001-03-07')`)
	cfg := b.config("a")
	b.mustRun(cfg)
	dir, _ := small(t)
	for dir, want := range map[string]string{cfg.Dir: "a_old OK\n", dir: "m_2001_03 OK\nMonth.1 OK\nempty OK\n"} {
		cmd := exec.Command(python, "-c", script)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if out, err := cmd.Output(); err != nil || string(out) != want {
			t.Errorf("%q, %v, want %q", out, err, want)
		}
	}
}
