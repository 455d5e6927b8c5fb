package waiting

import "context"

type key struct{}

// With returns a context whose users tell this clock what they wait for.
func With(ctx context.Context, c *Clock) context.Context { return context.WithValue(ctx, key{}, c) }

// From is the clock of a context; nil, which counts nothing, when it has none.
func From(ctx context.Context) *Clock {
	c, _ := ctx.Value(key{}).(*Clock)
	return c
}

// For begins a wait for a kind on the clock of the context and returns what ends it.
func For(ctx context.Context, k Kind) (end func()) {
	c := From(ctx)
	c.Begin(k)
	return func() { c.End(k) }
}
