package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"deletecost/runner"
	"deletecost/runner/fetch"
	"deletecost/runner/postgres"
)

func TestExitCodes(t *testing.T) {
	digest := &fetch.DigestError{File: "f", Source: "npm", Want: "a", Got: "b"}
	for _, c := range []struct {
		err         error
		interrupted bool
		want        int
	}{
		{nil, false, 0},
		{errors.New("experiment failed"), false, 1},
		{usagef("no"), false, 2},
		{&fetch.VersionError{Word: "9"}, false, 2},
		{&fetch.PGBinError{Dir: "d", Err: io.EOF}, false, 2},
		{&fetch.CacheError{Dir: "d", Err: io.EOF}, false, 3},
		{&fetch.PlatformError{Platform: "p"}, false, 3},
		{&postgres.EnvironmentError{Problem: "p", Remedy: "r"}, false, 3},
		{&shortageError{"full"}, false, 3},
		{&fetch.NotFoundError{What: "w"}, false, 4},
		{digest, false, 4},
		{&fetch.ArchiveError{File: "f"}, false, 4},
		{&chartsError{"stays", io.EOF}, false, 4},
		{&chartsError{"stays", &fetch.NotFoundError{What: "w"}}, false, 4},
		{&chartsError{"stays", &fetch.CacheError{Err: io.EOF}}, false, 3},
		{&runner.FolderError{Dir: "d", Err: io.EOF}, false, 2},
		// A source without room for the file is still a download that failed.
		{&fetch.NotFoundError{What: "w", Attempts: []fetch.Attempt{{Source: "npm", Err: &fetch.CacheError{Err: io.EOF}}}}, false, 4},
		{fmt.Errorf("fetching: %w", digest), false, 4},
		{&checkError{[]runner.Difference{{Claim: "c"}}}, false, 5},
		{errors.Join(nil, &checkError{[]runner.Difference{{Claim: "c"}}}), false, 5},
		{nil, true, 130},
		{digest, true, 130},
	} {
		if got := exitCode(c.err, c.interrupted); got != c.want {
			t.Errorf("%v (interrupted %v): %d, want %d", c.err, c.interrupted, got, c.want)
		}
	}
}

func TestOneLineAnError(t *testing.T) {
	canceled := fmt.Errorf("stopping: %w", context.Canceled)
	for _, c := range []struct {
		err         error
		interrupted bool
		want        string
	}{
		{nil, false, ""},
		{usagef("no\nsuch\tthing \x1b[31m\"x\""), false, "deletecost: no; such thing [31m\"x\"\n"},
		{errors.Join(errors.New("a"), errors.Join(errors.New("b"), errors.New("c\nd"))), false, "deletecost: a\ndeletecost: b\ndeletecost: c; d\n"},
		// Wrapped, a join is one error of several lines.
		{fmt.Errorf("experiment: %w", errors.Join(errors.New("a"), errors.New("b"))), false, "deletecost: experiment: a; b\n"},
		{&fetch.NotFoundError{What: "w", Attempts: []fetch.Attempt{{Source: "x", Err: io.EOF}}, Ways: []string{"--y"}}, false,
			"deletecost: finding w: x: EOF; ways on: --y\n"},
		{&checkError{[]runner.Difference{{Claim: "s1.a", Expected: "reproduced", Got: "inconclusive"}, {Claim: "s1.b", Expected: "reproduced", Got: "not measured"}}}, false,
			"deletecost: --check: s1.a: inconclusive, expected reproduced\ndeletecost: --check: s1.b: not measured, expected reproduced\n"},
		{canceled, false, "deletecost: stopping: context canceled\n"},
		{errors.Join(canceled, errors.New("the disk is gone")), true, "deletecost: the disk is gone\n"},
	} {
		var out strings.Builder
		(&progress{out: &out}).outcome(c.err, c.interrupted)
		if out.String() != c.want {
			t.Errorf("%v:\n%swant\n%s", c.err, out.String(), c.want)
		}
	}
}
