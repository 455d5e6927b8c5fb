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

// artist draws figures without a browser, in as many runtimes as draw at once: to
// load ECharts takes longer than to draw. It counts what it draws in ids, which no
// picture keeps. It remembers what it has drawn: a run writes
// its report after each experiment, and most figures are then as before.
type artist struct {
	programs []*goja.Program
	idle     chan *studio

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
	a := &artist{idle: make(chan *studio, runtime.GOMAXPROCS(0)), drawn: map[[sha256.Size]byte]picture{}}
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

// run lets a runtime draw that nobody else uses meanwhile.
func (a *artist) run(description []byte) (string, error) {
	var s *studio
	select {
	case s = <-a.idle:
	default:
		var err error
		if s, err = a.newStudio(); err != nil {
			return "", err
		}
	}
	svg, err := s.still(goja.Undefined(), s.vm.ToValue(string(description)), s.vm.ToValue(stillWidth))
	if err != nil {
		return "", err // what it left behind in the runtime is not known
	}
	select {
	case a.idle <- s:
	default:
	}
	return svg.String(), nil
}

// studio is a runtime in which the scripts have run.
type studio struct {
	vm    *goja.Runtime
	still goja.Callable
}

func (a *artist) newStudio() (*studio, error) {
	vm := goja.New()
	for _, name := range []string{"setTimeout", "clearTimeout"} {
		if err := vm.Set(name, func() {}); err != nil {
			return nil, err
		}
	}
	for _, program := range a.programs {
		if _, err := vm.RunProgram(program); err != nil {
			return nil, err
		}
	}
	still, err := vm.RunString("still")
	if err != nil {
		return nil, err
	}
	draw, ok := goja.AssertFunction(still)
	if !ok {
		return nil, errors.New("page/still.js has no function of that name")
	}
	return &studio{vm, draw}, nil
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
