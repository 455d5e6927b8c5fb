package retention

import (
	"slices"
	"testing"
	"time"
)

// at is a moment, in milliseconds of the test's clock.
func at(ms int) time.Time { return time.UnixMilli(1_000_000).Add(time.Duration(ms) * time.Millisecond) }

// ms is a sample that is due and done at so many milliseconds.
func ms(due, done int) sample { return sample{int64(due) * 1e6, int64(done) * 1e6} }

func testDiary() *diary {
	d := &diary{}
	d.add("preflight", at(100), at(110))
	d.add("detach", at(110), at(120))
	d.add("export", at(130), at(200))
	d.add("export", at(150), at(260))
	d.add("verify", at(140), at(280))
	d.add("drop", at(300), at(305))
	d.add("commit", at(305), at(310))
	return d
}

// An insert that was held up by a step belongs to it, whenever it began.
func TestInsertsBelongToTheStepThatHeldThem(t *testing.T) {
	for _, test := range []struct {
		name      string
		due, done int
		want      string
	}{
		{"alone", 10, 20, before},
		{"until the pipeline begins", 10, 99, before},
		{"over the beginning", 90, 105, between},
		{"into the detach", 50, 111, detaching},
		{"out of the detach", 119, 500, detaching},
		{"through the export", 121, 270, exporting},
		{"in the verification only", 265, 270, verifying},
		{"between", 285, 290, between},
		{"into the drop", 150, 301, dropping},
		{"in the commit", 306, 307, dropping},
		{"afterwards", 330, 340, after},
	} {
		if got := testDiary().phaseOf(ms(test.due, test.done), at(0), at(100), at(320)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Steps of two tables that overlap are counted once: 130 to 260 ms of export.
// Export and verification together last from 130 to 280 ms.
func TestOverlappingStepsAreCountedOnce(t *testing.T) {
	r := &retired{diary: testDiary()}
	for got, want := range map[float64]float64{r.diary.seconds("export"): 0.13, r.diary.seconds("drop"): 0.005, r.diary.seconds("restore"): 0, r.archiveSeconds(): 0.15} {
		if diff := got - want; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%v s, want %v s", got, want)
		}
	}
}

// Ten slow inserts and the order of all survive the choice for the CSV, and no
// insert is there twice.
func TestSlowInsertsAreKept(t *testing.T) {
	var all []sample
	for i := range 5000 {
		took := 1
		if i%500 == 499 {
			took = 1000
		}
		all = append(all, ms(i, i+took))
	}
	some := kept(all, keptSlowest, keptOthers)
	slow := 0
	for _, s := range some {
		if s.seconds() == 1 {
			slow++
		}
	}
	if slow != 10 || len(some) > keptSlowest+keptOthers {
		t.Errorf("%d slow inserts of 10 among %d kept", slow, len(some))
	}
	if !slices.IsSortedFunc(some, func(a, b sample) int { return int(a.scheduled - b.scheduled) }) || len(slices.Compact(slices.Clone(some))) != len(some) {
		t.Error("the order is not that of the schedule, or an insert is there twice")
	}
}

// What a crew does alone is counted between two moments: ten inserts within
// half a second are 20 a second.
func TestRateAlone(t *testing.T) {
	var all []sample
	for i := range 100 {
		all = append(all, ms(i*50, i*50+10))
	}
	if got := alone(all, 1e9, 15e8); got != 20 {
		t.Errorf("%v inserts a second, want 20", got)
	}
}
