package runner

import "testing"

func TestHumanize(t *testing.T) {
	for _, c := range []struct{ text, unit, want string }{
		{"44359680", "bytes", "42.3 MiB"}, // 44,359,680 / 1,048,576 = 42.305
		{"131072", "bytes", "128 KiB"},
		{"8552448", "bytes", "8.16 MiB"},
		{"512", "bytes", "512 bytes"},
		{"0.000239", "s", "239 µs"},
		{"0.0124144", "s", "12.4 ms"},
		{"388.5", "s", "389 s"},
		{"0.01", "s", "10.0 ms"},
		{"250000", "rows", "250,000 rows"},
		{"26.674876", "x", "26.7×"},
		{"1.6", "%", "1.60 %"},
		{"1.6", "", "1.6"},
		{"0.000032", "", "0.000032"},
		{"220.5", "rows", "220.5 rows"},
		{"-1234567", "", "-1,234,567"},
		{"0", "buffers", "0 buffers"},
		{"12345678901234567890", "rows", "1.235e+19 rows"},
		{"-1e300", "", "-1e+300"},
		{"NaN", "rows", "NaN"},
		{"0", "s", "0 s"},
		{NotAvailable, "s", NotAvailable},
		{"Limit > Sort", "", "Limit > Sort"},
	} {
		if got := Humanize(c.text, c.unit); got != c.want {
			t.Errorf("%s %s is written %q, want %q", c.text, c.unit, got, c.want)
		}
	}
}

func TestIntervalHasItsValuesScale(t *testing.T) {
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{Text: "0.000941", Low: "0.000809", High: "0.00443", Unit: "s"}, "941 µs [809, 4,430]"},
		{Cell{Text: "1.031", Low: "0.997", High: "1.062", Unit: "x"}, "1.03× [0.997, 1.06]"},
		{Cell{Text: "2426", Low: NotAvailable, High: NotAvailable, Unit: "rows"}, "2,426 rows"},
		{Cell{Text: "5034", Unit: "rows"}, "5,034 rows"},
		{Cell{Text: "2", Low: "NaN", High: "INF", Unit: "rows"}, "2 rows [NaN, +Inf]"},
	} {
		if got := c.cell.String(); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.cell, got, c.want)
		}
	}
}
