package runner

// peakMemory is not asked for on Windows.
func peakMemory() int64 { return 0 }

// resetPeak has nothing to do.
func resetPeak() error { return nil }
