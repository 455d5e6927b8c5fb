package postgres

// What tests of placement bind with.
var (
	Bind  = bind
	TwoOf = twoOf
)
