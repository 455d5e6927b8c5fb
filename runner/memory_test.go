package runner

import (
	"errors"
	"strings"
	"testing"
)

func TestPeakOfLaterRuns(t *testing.T) {
	kept := errors.New("it is kept")
	if got := unknownPeak(false, kept); got != "" {
		t.Errorf("of the first run: %q, want nothing", got)
	}
	if got := unknownPeak(true, nil); got != "" {
		t.Errorf("of a later run whose peak begins anew: %q, want nothing", got)
	}
	r := account()
	r.Account.Memory, r.Account.NoMemory = 0, unknownPeak(true, kept)
	why := "runs before this one in the same process count too: it is kept"
	if got := spentText(r); !strings.HasSuffix(got, "; its peak of memory is not known, since "+why+".") {
		t.Errorf("the account says %q", got)
	}
	got := map[string]string{}
	for _, f := range accountFacts(r) {
		got[f.key] = f.value
	}
	if got["peak_memory_bytes"] != "n/a" || got["peak_memory_unknown"] != why {
		t.Errorf("the facts are %q", got)
	}
}
