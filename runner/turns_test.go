package runner

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testLab(t *testing.T) *Lab {
	t.Helper()
	out, err := newResult(filepath.Join(t.TempDir(), "x"), &Experiment{Name: "x"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := out.close(nil); err != nil {
			t.Error(err)
		}
	})
	return &Lab{Seed: 1, experiment: "x", out: out, progress: func(Event) {}, noise: &noiseBook{out: out}}
}

func TestTakeTurns(t *testing.T) {
	var order []string
	arm := func(name string, took time.Duration) Arm {
		return Arm{Name: name, Once: func(context.Context) (time.Duration, error) {
			order = append(order, name)
			return took, nil
		}}
	}
	kept := 0
	s, err := testLab(t).TakeTurns(context.Background(), Turns{Name: "t", Blocks: 12, PerVisit: 5,
		Arms: []Arm{arm("a", time.Second), arm("b", 2*time.Second)},
		Keep: func(block int, seconds [][]float64, _ Noise) {
			if block != kept || len(seconds) != 2 || len(seconds[0]) != 10 {
				t.Errorf("block %d of %d arms with %d samples, want block %d of 2 with 10", block, len(seconds), len(seconds[0]), kept)
			}
			kept++
		}})
	if err != nil {
		t.Fatal(err)
	}
	if kept != 12 || len(s.Of("a")) != 12 || s.Of("b")[11][9] != 2 || s.Of("c") != nil {
		t.Errorf("%d blocks kept, %d of a", kept, len(s.Of("a")))
	}
	// Constant times have no trend, so the warm-up is as short as can be judged:
	// 12 blocks of 2 visits of 3; then 12 blocks of 2 visits of 5.
	if want := 2 * (12*2*3 + 12*2*5); len(order) != want || s.Warmup != 12 {
		t.Errorf("%d executions with %d warm-up blocks, want %d with 12", len(order), s.Warmup, want)
	}
	// ABBA or BAAB: within a block the second half mirrors the first.
	last := strings.Join(order[len(order)-20:], "")
	if last != "aaaaabbbbbbbbbbaaaaa" && last != "bbbbbaaaaaaaaaabbbbb" {
		t.Errorf("the last block ran %s", last)
	}
}

func TestTakeTurnsStopsAtAnError(t *testing.T) {
	broken := Arm{Name: "broken", Once: func(context.Context) (time.Duration, error) { return 0, errors.New("read 49 rows, expected 50") }}
	_, err := testLab(t).TakeTurns(context.Background(), Turns{Name: "t", Blocks: 12, PerVisit: 1, Arms: []Arm{broken}})
	if err == nil || !strings.Contains(err.Error(), `timing "broken": read 49 rows`) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := testLab(t).TakeTurns(ctx, Turns{Name: "t", Blocks: 12, PerVisit: 1, Arms: []Arm{broken}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run ends with %v", err)
	}
}
