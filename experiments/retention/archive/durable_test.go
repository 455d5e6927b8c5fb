package archive

import (
	"errors"
	"strings"
	"testing"
)

// A killed process leaves in the folder what the kernel knows and the disk may
// not. The Run that goes on must make that last before it drops anything: the
// power is cut right after the drop.
func TestPowerCutAfterTheDropOfAResumedRun(t *testing.T) {
	b := newBed(t, "17")
	for _, killedAt := range []string{
		"after mkdir archive", "after link deletecost-archive", "after claim", "after rename manifest.json.sha256",
		"after rename manifest.json", "after manifest", "before exclusive", "before commit",
	} {
		b.exec("DROP TABLE IF EXISTS a, a_old")
		b.months(150, "a")
		cfg := b.config("a")
		cfg.Restore = false
		cut := newPowerCut(t, cfg.Dir)
		killed := false
		cut.next = func(_ int, name string) error {
			if !killed && name == killedAt {
				killed = true
				return errKilled
			}
			return nil
		}
		cfg.Fail = func(point string) error {
			_, name, _ := strings.Cut(point, " ")
			return cut.fail(0, name)
		}
		if _, err := Run(t.Context(), cfg); !errors.Is(err, errKilled) {
			t.Fatalf("killed %s: %v", killedAt, err)
		}
		b.mustRun(cfg)
		cut.cut()
		if faults := faultsOf(t, cfg.Dir); len(faults) > 0 {
			t.Errorf("killed %s, run again, the power cut after the drop: %q", killedAt, faults)
		}
	}
}
