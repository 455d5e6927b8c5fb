package waiting

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// at is a clock that shows what it is told.
func at(now *atomic.Int64) *Clock {
	return &Clock{now: func() time.Duration { return time.Duration(now.Load()) }}
}

// What is counted is the time in which anybody waits, once, under the kind that comes first.
func TestClockCountsTheUnion(t *testing.T) {
	type step struct {
		at  time.Duration
		act func(*Clock, Kind)
		k   Kind
	}
	begin, end := (*Clock).Begin, (*Clock).End
	for _, test := range []struct {
		name  string
		steps []step
		want  [Kinds]time.Duration // at 100
	}{
		{"nobody", nil, [Kinds]time.Duration{}},
		{"one", []step{{10, begin, Answers}, {25, end, Answers}}, [Kinds]time.Duration{Answers: 15}},
		{"two apart", []step{{10, begin, Answers}, {20, end, Answers}, {30, begin, Answers}, {35, end, Answers}}, [Kinds]time.Duration{Answers: 15}},
		{"two that overlap", []step{{10, begin, Answers}, {20, begin, Answers}, {30, end, Answers}, {45, end, Answers}}, [Kinds]time.Duration{Answers: 35}},
		{"one in the other", []step{{10, begin, Answers}, {20, begin, Answers}, {21, end, Answers}, {22, begin, Answers}, {40, end, Answers}, {50, end, Answers}}, [Kinds]time.Duration{Answers: 40}},
		{"still waiting", []step{{60, begin, Answers}}, [Kinds]time.Duration{Answers: 40}},
		{"an answer during a pause", []step{{0, begin, Pauses}, {30, begin, Answers}, {50, end, Answers}, {90, end, Pauses}}, [Kinds]time.Duration{Answers: 20, Pauses: 70}},
		{"a start that is asked meanwhile", []step{{5, begin, Servers}, {10, begin, Answers}, {20, end, Servers}, {30, end, Answers}}, [Kinds]time.Duration{Servers: 15, Answers: 10}},
		{"all four", []step{{0, begin, Pauses}, {10, begin, Background}, {20, begin, Answers}, {30, begin, Servers}, {40, end, Servers},
			{60, end, Answers}, {70, end, Pauses}, {90, end, Background}}, [Kinds]time.Duration{Servers: 10, Answers: 30, Background: 40, Pauses: 10}},
	} {
		var now atomic.Int64
		c := at(&now)
		for _, s := range test.steps {
			now.Store(int64(s.at))
			s.act(c, s.k)
		}
		now.Store(100)
		if got := c.Read(); got.Waited != test.want || got.Wall != 100 {
			t.Errorf("%s: waited %v of %v, want %v of 100", test.name, got.Waited, got.Wall, test.want)
		}
	}
}

func TestReadingsAddUp(t *testing.T) {
	a := Reading{Wall: 10, Waited: [Kinds]time.Duration{1, 2, 3, 4}}
	b := Reading{Wall: 30, Waited: [Kinds]time.Duration{2, 4, 9, 8}}
	want := Reading{Wall: 20, Waited: [Kinds]time.Duration{1, 2, 6, 4}}
	if got := b.Since(a); got != want {
		t.Errorf("since: %v, want %v", got, want)
	}
	if got := a.Plus(want); got != b {
		t.Errorf("plus: %v, want %v", got, b)
	}
}

func TestNoClockCountsNothing(t *testing.T) {
	var c *Clock
	c.Begin(Answers)
	c.End(Answers)
	if got := c.Read(); got != (Reading{}) {
		t.Errorf("got %v, want nothing", got)
	}
	For(t.Context(), Pauses)()
}

// Many who wait at the same time make no more than the wall clock, and leave nothing open.
func TestClockUnderMany(t *testing.T) {
	c := NewClock(Since(time.Now()))
	var all sync.WaitGroup
	for k := range Kinds {
		for range 4 {
			all.Go(func() {
				for range 20_000 {
					c.Begin(k)
					c.End(k)
				}
			})
		}
	}
	for range 100 {
		c.Read()
	}
	all.Wait()
	r := c.Read()
	if again := c.Read(); again.Waited != r.Waited || c.open.Load() != 0 || !again.possible() {
		t.Errorf("nobody waits, and the clock goes from %v to %v", r, again)
	}
}

func BenchmarkBeginEnd(b *testing.B) {
	c := NewClock(Since(time.Now()))
	for b.Loop() {
		c.Begin(Answers)
		c.End(Answers)
	}
}
