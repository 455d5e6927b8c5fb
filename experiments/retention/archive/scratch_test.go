package archive

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// When the comparison itself fails, the room that the restored copy took on the
// server is given back, and the archive is not to blame.
func TestScratchIsGivenBack(t *testing.T) {
	b := newBed(t, "17")
	b.months(150, "a")
	cfg := b.config("a")
	cfg.Fail = at("before compare", func() {
		b.exec(fmt.Sprintf("ALTER TABLE deletecost_scratch_%d.t1 DROP COLUMN body", value[uint32](b, "SELECT 'a_old'::regclass::oid")))
	})
	_, err := Run(t.Context(), cfg)
	if err == nil || !strings.Contains(err.Error(), "comparing table") || errors.Is(err, ErrArchive) {
		t.Errorf("%v, want that the comparison fails", err)
	}
	if n := value[int](b, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'deletecost%'"); n != 0 || !b.exists("a_old") {
		t.Errorf("%d scratch schemas are left, or the table is gone", n)
	}
	b.mustRun(b.sameDir(cfg))
}
