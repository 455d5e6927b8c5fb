package report

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/dop251/goja"
	"golang.org/x/sync/errgroup"
)

// artist draws figures without a browser, each in a runtime of its own, since
// ECharts counts what it draws. It remembers what it has drawn: a run writes
// its report after each experiment, and most figures are then as before.
type artist struct {
	programs []*goja.Program

	mu    sync.Mutex
	drawn map[[sha256.Size]byte]picture
}

// artists are those that know a text of ECharts, by its digest: compiling
// takes longer than drawing.
var artists sync.Map

func newArtist(echarts []byte) (*artist, error) {
	known := sha256.Sum256(echarts)
	if a, ok := artists.Load(known); ok {
		return a.(*artist), nil
	}
	ours, err := scripts(append(slices.Clone(painters), "page/still.js")...)
	if err != nil {
		return nil, err
	}
	a := &artist{drawn: map[[sha256.Size]byte]picture{}}
	for _, script := range []struct {
		name string
		text []byte
	}{{"echarts.min.js", echarts}, {"still.js", ours}} {
		program, err := goja.Compile(script.name, string(script.text), false)
		if err != nil {
			return nil, fmt.Errorf("compiling %s: %w", script.name, err)
		}
		a.programs = append(a.programs, program)
	}
	kept, _ := artists.LoadOrStore(known, a)
	return kept.(*artist), nil
}

// draw returns what ECharts makes of the description of a figure.
func (a *artist) draw(description []byte) (picture, error) {
	known := sha256.Sum256(description)
	a.mu.Lock()
	p, done := a.drawn[known]
	a.mu.Unlock()
	if done {
		return p, nil
	}
	svg, err := a.run(description)
	if err != nil {
		return nil, err
	}
	if p, err = newPicture(svg); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drawn[known] = p
	return p, nil
}

// run runs the scripts in a runtime of its own.
func (a *artist) run(description []byte) (string, error) {
	vm := goja.New()
	for _, name := range []string{"setTimeout", "clearTimeout"} {
		if err := vm.Set(name, func() {}); err != nil {
			return "", err
		}
	}
	for _, program := range a.programs {
		if _, err := vm.RunProgram(program); err != nil {
			return "", err
		}
	}
	still, err := vm.RunString("still")
	if err != nil {
		return "", err
	}
	draw, ok := goja.AssertFunction(still)
	if !ok {
		return "", errors.New("page/still.js has no function of that name")
	}
	svg, err := draw(goja.Undefined(), vm.ToValue(string(description)), vm.ToValue(stillWidth))
	if err != nil {
		return "", err
	}
	return svg.String(), nil
}

// drawStills draws figures side by side. What ECharts cannot draw here it could
// not draw in a browser either: then the figure says why.
func drawStills(figures []figure, echarts []byte) error {
	a, err := newArtist(echarts)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range figures {
		f := &figures[i]
		if f.still == nil {
			continue
		}
		group.Go(func() error {
			var err error
			if f.picture, err = a.draw(f.still); err != nil {
				f.Chart, f.Problem = nil, err.Error()
			}
			return nil
		})
	}
	return group.Wait()
}
