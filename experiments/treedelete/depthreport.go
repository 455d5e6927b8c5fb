package treedelete

import (
	"fmt"
	"strings"
	"time"

	"deletecost/runner"
	"deletecost/runner/stat"
)

// report writes what was timed.
func (d *depthRun) report() error {
	d.out.Explain("At depth the tree under test has the same number of rows on 2 and more levels: one root and the rest spread evenly, each row below a row of the level above. Around it lie other trees of one row a level, as many in every table, enough for each lookup to go by an index. Row by row sends a prepared DELETE a row from the deepest level up; set-based one prepared statement a level, which joins the levels above it; ON DELETE CASCADE deletes the root, on tables of its own with cascading keys.")
	d.trees()
	if err := d.times(); err != nil {
		return err
	}
	if err := d.ratios(); err != nil {
		return err
	}
	d.figures()
	d.conclude()
	d.out.NotShown(fmt.Sprintf("Row by row at depth with an added round trip: it was counted to wait once a row at every depth, so %v would add the same to each.", depthDelay))
	d.out.NotShown("Depth with rows that are wide or trees that are skewed: the rows of a tree are spread evenly over its levels.")
	return nil
}

func (d *depthRun) trees() {
	t := d.out.Table(depthTreesTable)
	for _, depth := range d.depths() {
		c := newChain(d.rows, depth, false)
		sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.sizes), " ", " + "), "[]")
		row := t.Add(depth, sizes, c.rows(), c.checked(), c.all(), c.expected())
		d.at.rows, d.at.deepest = t.Ref(row, "tree_rows"), t.Ref(row, "depth")
		d.at.checked = append(d.at.checked, t.Ref(row, "checked_rows"))
	}
}

// times adds every arm, depth by depth.
func (d *depthRun) times() error {
	t := d.out.Table(depthTimesTable)
	for _, a := range d.arms {
		took, err := stat.OfBlocks(d.samples.Of(a.name), d.lab.Rand("depth time/"+a.name))
		if err != nil {
			return fmt.Errorf("taking the time of %q: %w", a.name, err)
		}
		d.warnOf("depth, "+a.name, took.Interval)
		trips, err := d.trips(a)
		if err != nil {
			return err
		}
		cells := []any{a.chain.depth(), a.way, d.name(a.delay), a.way + ", " + d.name(a.delay), trips}
		row := t.Add(append(append(cells, turnCells(took.Median, took.Interval, len(took.Values))...), d.amountsTo(a)...)...)
		d.at.times[a.name] = t.RefRange(row, "time_s", "low", "high")
		d.at.trips[a.name] = t.Ref(row, "round_trips")
		d.at.added = d.delays[depthDelay].at
	}
	return nil
}

// amountsTo is how many round trips the time above that of the same arm without the
// added one comes to, block by block, with its interval.
func (d *depthRun) amountsTo(a *chainArm) []any {
	none := runner.NA{Reason: "no round trip was added"}
	if a.delay == 0 {
		return []any{none, none, none}
	}
	without := d.find(a.way, a.chain.depth(), 0)
	trip := a.delay.Seconds()
	later, err := stat.PairedDifference(d.samples.Of(a.name), d.samples.Of(without.name), d.lab.Rand("depth trips/"+a.name))
	if err != nil {
		few := runner.NA{Reason: "too few blocks for an interval"}
		return []any{(stat.PooledMedian(d.samples.Of(a.name)) - stat.PooledMedian(d.samples.Of(without.name))) / trip, few, few}
	}
	d.warnOf("depth, "+a.name+", round trips that its time comes to", later.Interval)
	return []any{later.Value / trip, later.Low / trip, later.High / trip}
}

// A depthComparison is a ratio of two arms.
type depthComparison struct {
	name         string
	above, below *chainArm
}

// comparisons have the noise floor first.
func (d *depthRun) comparisons() []depthComparison {
	deep := d.deepest
	all := []depthComparison{{"set-based at the deepest over itself", d.again, d.find(setBased, deep, 0)}}
	for _, delay := range []time.Duration{0, depthDelay} {
		for _, way := range depthWays {
			if a := d.find(way, deep, delay); a != nil && deep > shallowest {
				all = append(all, depthComparison{growth(way), a, d.find(way, shallowest, delay)})
			}
		}
	}
	for _, depth := range d.depths() {
		all = append(all, depthComparison{overSet(depth), d.find(rowPrepared, depth, 0), d.find(setBased, depth, 0)})
	}
	return all
}

// growth and overSet name comparisons.
func growth(way string) string { return way + ", deepest over 2 levels" }
func overSet(depth int) string { return fmt.Sprintf("row by row over set-based, %d levels", depth) }

func (d *depthRun) ratios() error {
	t := d.out.Table(depthRatiosTable)
	floor := 0.0
	for i, k := range d.comparisons() {
		r, err := stat.RatioOfTurns(d.samples.Of(k.above.name), d.samples.Of(k.below.name), d.lab.Rand("depth/"+k.above.name+k.below.name))
		if err != nil {
			return fmt.Errorf("comparing %s: %w", k.name, err)
		}
		d.warn(k.name, r.Warnings)
		none := runner.NA{Reason: "a floor has none of its own"}
		var against, apart any = none, none
		if i == 0 {
			floor = stat.FloorOf(r.Interval)
			d.warnFloor(r)
		} else {
			against, apart = floor, stat.ToldApart(r.Interval, r.Ratio, floor)
		}
		row := t.Add(append(append([]any{k.name, d.name(k.above.delay)}, turnCells(r.Ratio, r.Interval, r.Blocks)...), against, apart)...)
		d.at.ratios[k.name+k.above.delay.String()] = t.RefRatio(row, "ratio", "low", "high", "floor")
		d.at.floor = t.Ref(row, "floor")
	}
	return nil
}

func (d *depthRun) warnFloor(r stat.Paired) {
	if !r.Contains(1) {
		d.out.Warn("depth: the set-based arm differs from itself, 1 lies outside of the interval (it will in 1 of 20)")
	}
}

// conclude says what depth, rows and round trips cost.
func (d *depthRun) conclude() {
	if d.deepest == shallowest {
		d.out.NotShown("What depth does: only one depth was run.")
		return
	}
	ratio := func(name string, delay time.Duration) runner.Ref { return d.at.ratios[name+delay.String()] }
	d.out.Conclude(runner.Say("Spreading a tree of {} over {} instead of 2 changes its time by these factors: row by row {}, set-based {}, ON DELETE CASCADE {}, where an arm against itself came out within {}. Among what grows with depth are the rows that another table may reference, so that a key is checked for them, {} on 2 levels and {} on the most, and the set-based statements, {} and {}, each of which joins all levels above its own. Row by row over set-based is {} on 2 levels and {} on the most.",
		d.at.rows, d.at.deepest, ratio(growth(rowPrepared), 0), ratio(growth(setBased), 0), ratio(growth(onCascade), 0), d.at.floor,
		d.at.checked[0], d.at.checked[len(d.at.checked)-1], d.at.trips[d.find(setBased, shallowest, 0).name], d.at.trips[d.find(setBased, d.deepest, 0).name],
		ratio(overSet(shallowest), 0), ratio(overSet(d.deepest), 0)))
	for _, delay := range []time.Duration{0, depthDelay} {
		if why := d.invalid(delay); why != "" {
			d.out.NotShown("Depth with a round trip: " + why)
			return
		}
	}
	at := func(way string, depth int) (runner.Ref, runner.Ref) {
		name := d.find(way, depth, depthDelay).name
		return d.at.trips[name], d.at.times[name]
	}
	shallowTrips, shallow := at(setBased, shallowest)
	deepTrips, deep := at(setBased, d.deepest)
	cascadeTrips, cascade := at(onCascade, d.deepest)
	_, flat := at(onCascade, shallowest)
	d.out.Conclude(runner.Say("With {} added to a round trip, levels cost through the statements they need: set-based waited {} times and took {} on 2 levels, {} times and {} on the most; ON DELETE CASCADE waited {} time on either and took {} and {}.",
		d.at.added, shallowTrips, shallow, deepTrips, deep, cascadeTrips, flat, cascade))
}
