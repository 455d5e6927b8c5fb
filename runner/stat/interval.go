package stat

// Methods that an interval can come from, as they are printed beside it.
const (
	// OrderStatistics: two order statistics of independent samples, with their exact binomial coverage.
	OrderStatistics = "order statistics"
	// ResampledRuns: a circular block bootstrap over runs of neighbouring blocks, for blocks that depend on each other.
	ResampledRuns = "resampled runs of blocks"
	// ResampledBlocks: a bootstrap over whole blocks, for samples that depend on each other within a block.
	ResampledBlocks = "resampled blocks"
	// RangeOfRepeats: the lowest and the highest repeat.
	RangeOfRepeats = "range of repeats"
	// EndsOfBoth: the nearest and the farthest ends of two intervals that are taken from each other.
	EndsOfBoth = "ends of both intervals"
)

// Interval is a closed interval around a figure, in the figure's own unit.
type Interval struct {
	// Low and High are the ends; Low is never above High.
	Low, High float64
	// Level is the probability that the interval covers the true value, 0 to 1: the exact coverage for
	// OrderStatistics and RangeOfRepeats (if the samples are independent), the level asked for otherwise.
	Level float64
	// Method says where the interval comes from, one of the constants of this package.
	Method string
	// Warning says why the interval may cover less than its Level; empty when there is nothing to say.
	Warning string
}

// Contains says whether v lies in the interval, its ends included.
func (i Interval) Contains(v float64) bool {
	return i.Low <= v && v <= i.High
}
