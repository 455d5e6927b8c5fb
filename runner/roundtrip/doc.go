// Package roundtrip adds the round trip of a network to connections on this machine, and counts the round trips.
//
// The wait is put before the first write that follows a read: there a client would stand still until the answer to its
// last message had crossed the network and its next one had crossed back. Writes that follow a write wait for nothing,
// so a pipeline pays once, as on a real network. What is injected is called injected: Check measures, in the same run,
// what it really added.
package roundtrip
