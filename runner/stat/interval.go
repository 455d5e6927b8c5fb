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

// Holding is the interval stretched as far as it must be to hold v.
func (i Interval) Holding(v float64) Interval {
	i.Low, i.High = min(i.Low, v), max(i.High, v)
	return i
}

// TakenFrom is the interval of whole less what this is the interval of, which turns it around. whole is known without error.
func (i Interval) TakenFrom(whole float64) Interval {
	i.Low, i.High = whole-i.High, whole-i.Low
	return i
}

// Bounded says whether all of the interval lies between two bounds, ends included, and whether all of it lies beyond one of
// them. Neither is true when it cannot be told. A bound that is not there is an infinity.
func (i Interval) Bounded(least, most float64) (inside, outside bool) {
	return i.Low >= least && i.High <= most, i.High < least || i.Low > most
}

// Contains says whether v lies in the interval, its ends included.
func (i Interval) Contains(v float64) bool {
	return i.Low <= v && v <= i.High
}
