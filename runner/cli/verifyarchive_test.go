package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestVerifyArchive(t *testing.T) {
	faulty := errors.New("2 faults found")
	for _, found := range []error{nil, faulty} {
		dir := t.TempDir()
		var out, errs strings.Builder
		p := &program{stdout: &out, getenv: environment(nil), now: time.Now, tell: &progress{out: &errs, now: time.Now},
			verify: func(_ context.Context, dir string, out io.Writer) error {
				fmt.Fprintln(out, "read", dir)
				return found
			}}
		err := p.word(t.Context(), []string{"verify-archive", dir})
		if !errors.Is(err, found) || out.String() != "read "+dir+"\n" {
			t.Errorf("%q, %v, want %v", out.String(), err, found)
		}
		if want := map[bool]int{true: 0, false: 1}[found == nil]; exitCode(err, false) != want {
			t.Errorf("exit code %d, want %d", exitCode(err, false), want)
		}
	}
}
