package retention

import (
	"deletecost/runner"
	"slices"
)

// statement is one of fixtures; the words are pairs of a name, which stands in
// braces there, and what stands for it.
func statement(name string, words ...string) string {
	pairs := slices.Clone(words)
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return runner.Statement("retention", name, pairs...)
}
