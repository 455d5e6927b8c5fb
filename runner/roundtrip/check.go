package roundtrip

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/waiting"
)

// Added is what a delay did to a query: asked for and measured.
type Added struct {
	// Asked is the round trip that was set.
	Asked time.Duration
	// BackToBack is the median of SELECT 1 without the delay, directly after another query.
	BackToBack time.Duration
	// Without is the median of SELECT 1 without the delay, after an idle time as long as the delay. It exceeds
	// BackToBack by what a server answers more slowly after it has slept, which is not the round trip's doing.
	Without time.Duration
	// With is the median of SELECT 1 with the delay.
	With time.Duration
	// Added is With less Without. It is uncertain by what the machine does to two queries that are equal, which on a
	// busy one is more than the tolerance.
	Added time.Duration
	// Waited is the median of the waits themselves, one a query: what the delay added, whatever client and server did.
	Waited time.Duration
	// Waits are all of them, in order.
	Waits []time.Duration
	// Samples is the number of queries behind each median.
	Samples int
	// Valid says that Added and Waited are both within 5 µs or 2 % of Asked, whichever is more. Otherwise the figures that
	// rest on this round trip are invalid.
	Valid bool
}

// Check measures for each delay what it adds to SELECT 1 on a connection that was dialled through n, with the delay and
// without in turns. It takes some 160 times each delay below 1 ms, 48 times a longer one, and leaves the delay of n as it
// was. Nothing else may use n meanwhile. It is an error when a query fails or does not take exactly one
// flight, as on a connection that was not dialled through n.
func Check(ctx context.Context, conn *pgx.Conn, n *Network, delays []time.Duration) ([]Added, error) {
	defer n.SetDelay(n.Delay())
	n.SetDelay(0)
	for range 10 {
		if _, err := selectOne(ctx, conn, n, 0); err != nil {
			return nil, err
		}
	}
	checked := make([]Added, len(delays))
	for i, delay := range delays {
		added, err := check(ctx, conn, n, delay)
		if err != nil {
			return nil, err
		}
		checked[i] = added
	}
	return checked, nil
}

func check(ctx context.Context, conn *pgx.Conn, n *Network, delay time.Duration) (Added, error) {
	rounds := 40
	if delay >= time.Millisecond {
		rounds = 12 // 2 % of it are plain at once
	}
	var backToBack, without, with []time.Duration
	ways := []struct {
		pause, delay time.Duration
		into         *[]time.Duration
	}{{0, 0, &backToBack}, {delay, 0, &without}, {0, delay, &with}}
	n.Waits() // what was before is not of this check
	for range rounds {
		for _, turn := range []int{0, 1, 2, 2, 1, 0} {
			way := ways[turn]
			pause(ctx, way.pause)
			took, err := selectOne(ctx, conn, n, way.delay)
			if err != nil {
				return Added{}, err
			}
			*way.into = append(*way.into, took)
		}
	}
	waits := n.Waits()
	if len(waits) != len(with) && delay > 0 {
		return Added{}, fmt.Errorf("checking the round trip %v: %d waits in %d queries", delay, len(waits), len(with))
	}
	a := Added{Asked: delay, BackToBack: median(backToBack), Without: median(without), With: median(with), Samples: len(with)}
	a.Added = a.With - a.Without
	if delay > 0 {
		a.Waits = slices.Clone(waits)
		a.Waited = median(waits)
	}
	a.Valid = Valid(a.Asked, a.Added) && Valid(a.Asked, a.Waited)
	return a, nil
}

// pause stands still between two queries.
func pause(ctx context.Context, span time.Duration) {
	defer waiting.For(ctx, waiting.Pauses)()
	standStill(time.Now().Add(span))
}

// selectOne times one query of one flight.
func selectOne(ctx context.Context, conn *pgx.Conn, n *Network, delay time.Duration) (time.Duration, error) {
	n.SetDelay(delay)
	before, start := n.Flights(), time.Now()
	_, err := conn.Exec(ctx, "SELECT 1")
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("checking the round trip %v: %w", delay, err)
	}
	if flights := n.Flights() - before; flights != 1 {
		return 0, fmt.Errorf("checking the round trip %v: SELECT 1 took %d flights, not 1; dial the connection through this network and use it for nothing else", delay, flights)
	}
	return took, nil
}

// Valid says whether a measured round trip is within 5 µs or 2 % of what was asked for, whichever is more.
func Valid(asked, measured time.Duration) bool {
	return (measured - asked).Abs() <= max(5*time.Microsecond, asked/50)
}

func median(xs []time.Duration) time.Duration {
	slices.Sort(xs)
	middle := len(xs) / 2
	return (xs[middle] + xs[len(xs)-1-middle]) / 2
}
