// Package stat turns samples into figures with intervals. It holds arithmetic only: no clock, no file, no server.
//
// Three kinds of figure exist, and each has one way through this package. A latency ratio of two arms that took turns
// is a Paired with its interval. A quantile of one arm is a Quantile with an interval from order statistics, or from
// whole blocks when neighbouring samples depend on each other. A quantity that PostgreSQL counts (rows, pages, bytes of
// WAL) is an Exact, which is compared and never averaged.
//
// Randomness comes from the generator that the caller passes, so that a run's seed decides everything.
package stat
