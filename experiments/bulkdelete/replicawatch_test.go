package bulkdelete

import (
	"testing"
	"time"

	"deletecost/runner"
)

func TestWorstLag(t *testing.T) {
	looks := []lag{{running: true, unsent: 5, unflushed: 6, unreplayed: 7}, {running: true, unsent: 9, unflushed: 9, unreplayed: 20}, {running: false, unsent: 0, unflushed: 30, unreplayed: 40}}
	if got := worstLag(looks); got.unsent != 9 || got.unflushed != 30 || got.unreplayed != 40 {
		t.Errorf("the worst is %+v, want 9, 30 and 40 bytes", got)
	}
	if got := atEnd(looks); got != 20 {
		t.Errorf("%d bytes at the end, want those of the last look before it: 20", got)
	}
}

// What was seen before the statements is left out; a look in them is running.
func TestTimedLooks(t *testing.T) {
	began := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int) lag {
		return lag{at: began.Add(time.Duration(ms) * time.Millisecond), unreplayed: int64(ms)}
	}
	got := timed([]lag{at(-3), at(0), at(4), at(8), at(250)}, began, began.Add(8*time.Millisecond))
	if len(got) != 4 || looksRunning(got) != 2 || got[3].seconds != 0.25 || got[3].running {
		t.Errorf("looks %+v, want 4, the first 2 running, the last after 0.25 s", got)
	}
}

// Nine looks do not tell the greatest lag, ten do.
func TestLagCells(t *testing.T) {
	looks := []lag{{running: false, unreplayed: 7}}
	for n := range 10 {
		if cells := lagCells(looks); !isNA(cells[2]) || !isNA(cells[3]) {
			t.Errorf("%d looks tell of %v", n, cells)
		}
		looks = append(looks, lag{running: true, unreplayed: int64(n)})
	}
	if cells := lagCells(looks); cells[2] != int64(9) || cells[3] != int64(9) {
		t.Errorf("ten looks tell of %v, want 9 bytes at the most and at the end", cells)
	}
	if !isNA(behindCell(time.Millisecond)) || behindCell(3*time.Millisecond) != 3*time.Millisecond {
		t.Error("1 ms cannot be told with looks every 2 ms, and 3 ms can")
	}
}

func isNA(cell any) bool {
	_, is := cell.(runner.NA)
	return is
}
