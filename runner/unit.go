package runner

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// String returns the cell scaled for people, with its interval in the same
// scale where it has one: "654 µs [647, 663]".
func (c Cell) String() string {
	v, ok := c.Number()
	low, high, interval := c.Interval()
	if !ok || c.Low == "" || !interval {
		return Humanize(c.Text, c.Unit)
	}
	s := scaleOf(v, c.Unit)
	return fmt.Sprintf("%s [%s, %s]", s.text(v), s.number(low), s.number(high))
}

// Humanize scales a CSV cell of a base unit for people: seconds to ms or µs,
// bytes to KiB or MiB, whole numbers with separators. Words stay as they are.
func Humanize(text, unit string) string {
	v, ok := number(text)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return text
	}
	return scaleOf(v, unit).text(v)
}

// A scale is how numbers of one unit and size are written.
type scale struct {
	divisor float64
	suffix  string
	digits  int // significant ones; 0: whole numbers are written in full
}

func scaleOf(v float64, unit string) scale {
	switch unit {
	case "s":
		return largest(v, scale{1, " s", 3}, scale{1e-3, " ms", 3}, scale{1e-6, " µs", 3})
	case "bytes":
		return largest(v, scale{1 << 30, " GiB", 3}, scale{1 << 20, " MiB", 3}, scale{1 << 10, " KiB", 3}, scale{1, " bytes", 0})
	case "x":
		return scale{1, "×", 3}
	case "%":
		return scale{1, " %", 3}
	case "":
		return scale{1, "", 0}
	}
	return scale{1, " " + unit, 0}
}

// largest picks the first scale in which the value is at least 1; 0 is written
// in the base unit, whose divisor is 1.
func largest(v float64, from ...scale) scale {
	for _, s := range from {
		if math.Abs(v) >= s.divisor || v == 0 && s.divisor == 1 {
			return s
		}
	}
	return from[len(from)-1]
}

func (s scale) text(v float64) string { return s.number(v) + s.suffix }

func (s scale) number(v float64) string {
	if s.digits == 0 {
		return grouped(v)
	}
	return significant(v/s.divisor, s.digits)
}

// significant rounds to n significant digits without an exponent; digits
// before the decimal point are all kept.
func significant(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	// A value a rounding error below a power of ten counts as that power.
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))+1e-9))
	if decimals <= 0 {
		return grouped(math.Round(v))
	}
	return strconv.FormatFloat(v, 'f', min(decimals, 9), 64)
}

// plain drops zeros that stand after a decimal point and say nothing.
func plain(digits string) string {
	if !strings.Contains(digits, ".") {
		return digits
	}
	return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
}

// largestWhole is from where on numbers are written with an exponent.
const largestWhole = 1e15

// grouped writes whole numbers with separators and others to four digits.
func grouped(v float64) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0), math.Abs(v) >= largestWhole:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case v != math.Trunc(v):
		return plain(significant(v, 4))
	}
	digits := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	var b strings.Builder
	if v < 0 {
		b.WriteByte('-')
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
