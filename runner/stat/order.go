package stat

import "math/rand/v2"

// Order is the order in which one block runs its arms, by index: a random permutation and then the same in reverse, so
// that each arm runs twice and a steady drift within the block cancels (ABBA or BAAB for two arms).
func Order(rng *rand.Rand, arms int) []int {
	order := rng.Perm(arms)
	for k := arms - 1; k >= 0; k-- {
		order = append(order, order[k])
	}
	return order
}
