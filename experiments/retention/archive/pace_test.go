package archive

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// 6,400 rows at 640 a second are 100 groups of 64, each a tenth of a second
// after the one before; the first may pass at once.
func TestPaceKeepsToItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := newPace(640), time.Now()
		for row := int64(1); row <= 6400; row++ {
			if err := p.pass(t.Context(), row); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start).Round(time.Millisecond); took != 9900*time.Millisecond {
			t.Errorf("6400 rows at 640 a second took %v, want 9.9s", took)
		}
	})
}

// Streams share a pace: two of 3,200 rows take as long as one of 6,400.
func TestPaceIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := newPace(640), time.Now()
		done := make(chan error, 2)
		for range 2 {
			go func() {
				for row := int64(1); row <= 3200; row++ {
					if err := p.pass(t.Context(), row); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start).Round(time.Millisecond); took != 9900*time.Millisecond {
			t.Errorf("twice 3200 rows at 640 a second took %v, want 9.9s", took)
		}
	})
}

func TestPaceEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newPace(1).pass(ctx, paceRows); !errors.Is(err, context.Canceled) {
		t.Errorf("a pace whose context has ended: %v, want %v", err, context.Canceled)
	}
	if err := newPace(0).pass(ctx, paceRows); err != nil {
		t.Errorf("without a bound: %v, want nothing to wait for", err)
	}
}
