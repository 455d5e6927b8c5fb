package cli

import (
	"errors"
	"testing"
)

const mib = 1 << 20

func TestSpaceNeeded(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int64
	}{
		{nil, 50*mib + 64*mib},                          // one experiment after the other: the larger one
		{[]string{"--scale", "smoke"}, 10*mib + 64*mib}, // 3 against 10
		{[]string{"--keep"}, (50+10)*mib + 64*mib},      // nothing goes away
		{[]string{"--set", "softdelete.cycles=200"}, (200 + 64) * mib},
	} {
		if got := asked(t, nil, c.args...).space(); got != c.want {
			t.Errorf("%q: %d, want %d", c.args, got, c.want)
		}
	}
}

func TestSpaceThatIsMissing(t *testing.T) {
	const temp, results = "/t", "/r"
	for _, c := range []struct {
		inTemp, inResults int64
		args              []string
		want              string
	}{
		{114 * mib, 50 * mib, nil, ""},
		{113 * mib, 50 * mib, nil, `the server may need 114 MiB in "/t", where 113 MiB are free: free space there, or set TMPDIR to a folder with more room, or choose a smaller --scale`},
		{73 * mib, 50 * mib, []string{"--scale", "smoke"}, `the server may need 74.0 MiB in "/t", where 73.0 MiB are free: free space there, or set TMPDIR to a folder with more room`},
		{114 * mib, 49 * mib, nil, `the results may need 50.0 MiB in "/r", where 49.0 MiB are free: name a folder on another file system with --out`},
		{-1, -1, nil, ""}, // the system does not tell
	} {
		free := func(dir string) (int64, error) {
			n := map[string]int64{temp: c.inTemp, results: c.inResults}[dir]
			if n < 0 {
				return 0, errors.New("not told")
			}
			return n, nil
		}
		err := asked(t, nil, c.args...).checkSpace(temp, results, free)
		if err == nil && c.want == "" {
			continue
		}
		if err == nil || err.Error() != c.want || exitCode(err, false) != 3 {
			t.Errorf("%d and %d: %v\nwant %s", c.inTemp, c.inResults, err, c.want)
		}
	}
}
