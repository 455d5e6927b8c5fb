package report

import "math"

// share gives the values of all panels one axis, so that heights compare: the
// unit of the largest, and both ends. Cells have no such axis, and values below
// 0 keep their own.
func (m *multiple) share() {
	var all []*drawing
	for _, d := range m.drawings {
		if d == nil {
			continue
		}
		if d.panelled() || d.y.category || len(all) > 0 && (d.y.log != all[0].y.log || d.y.name != all[0].y.name) || d.negative() {
			return
		}
		all = append(all, d)
	}
	if len(all) < 2 {
		return
	}
	widest, least := all[0].y, math.Inf(1)
	for _, d := range all {
		if d.y.reach*d.y.factor > widest.reach*widest.factor {
			widest = d.y
		}
		least = min(least, d.y.least*d.y.factor)
	}
	for _, d := range all {
		whole := d.y.whole && widest.whole
		d.y = widest
		d.y.least, d.y.whole = least/widest.factor, whole
		if !d.y.log {
			d.y.top = roundUp(widest.reach)
		}
	}
}

func (d *drawing) negative() bool {
	for _, v := range d.values(func(p point) []float64 { return []float64{p.y, p.low} }) {
		if v < 0 {
			return true
		}
	}
	return false
}

// roundUp is the end that ECharts would find round: a multiple of the distance
// of about five labels.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(v/5)+nearly))
	step := 10 * power
	for _, s := range []struct{ until, step float64 }{{7, 5}, {4, 3}, {2.5, 2}, {1.5, 1}} {
		if v/5 < s.until*power {
			step = s.step * power
		}
	}
	return seven(math.Ceil(v/step-nearly) * step)
}
