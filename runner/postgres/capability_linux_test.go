package postgres

import (
	"slices"
	"testing"
)

// The numbers are those of linux/capability.h; the second mask is what a container engine grants by default.
func TestLacking(t *testing.T) {
	for mask, want := range map[string][]string{
		"000001ffffffffff": nil,
		"00000000a80425fb": nil,
		"0000000000000000": {"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_KILL", "CAP_SETGID", "CAP_SETUID"},
		"00000000a804257b": {"CAP_SETUID"},
		"00000000a80425fa": {"CAP_CHOWN"},
		"00000000a80425f9": {"CAP_DAC_OVERRIDE"},
	} {
		status := "Name:\tx\nCapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t" + mask + "\nCapBnd:\t000001ffffffffff\n"
		if got := lacking(status); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", mask, got, want)
		}
	}
}
