package softdelete

import "time"

// A condition is how the client asks: its protocol, its keys and the network
// between it and the server.
type condition struct {
	name     string // in references and seeds
	label    string // in tables and figures
	title    string // in errors
	prepared bool   // extended protocol with a prepared statement, else simple
	fresh    bool   // every key once before one comes again, else 500 sampled ones
	added    time.Duration
}

func conditions(added time.Duration) []condition {
	return []condition{
		{name: "socket_simple", label: "socket, simple", title: "a Unix socket, simple protocol, 500 sampled keys (the source's way of asking)"},
		{name: "socket_prepared", label: "socket, prepared", title: "a Unix socket, prepared statements, fresh random keys", prepared: true, fresh: true},
		{name: "network_simple", label: added.String() + " away, simple", title: "the first way with an injected round trip of " + added.String(), added: added},
	}
}

// sampledKeys is how many keys the source sampled.
const sampledKeys = 500

// A reading is one timed arm: a query on a table in a database, and the index
// that its plan must use.
type reading struct {
	name, database, table, query, index string
	label                               string // for the source's tables
}

// readings are the timed arms. "Again" is the same query on the same session;
// "copy" is the hard table in the database that holds the partial index, a
// byte-for-byte copy on a session of its own.
var readings = []reading{
	{"hard_pk", corrected, hard, "pk_lookup", hard + "_pkey", "hard_delete_orders"},
	{"hard_pk_again", corrected, hard, "pk_lookup", hard + "_pkey", "hard_delete_orders, again"},
	{"soft_pk", corrected, soft, "pk_lookup", soft + "_pkey", "soft_delete_orders"},
	{"hard_active", corrected, hard, "active_rows", hard + "_created_at_idx", "hard_delete_orders"},
	{"hard_active_again", corrected, hard, "active_rows", hard + "_created_at_idx", "hard_delete_orders, again"},
	{"hard_active_copy", withPartial, hard, "active_rows", hard + "_created_at_idx", "hard_delete_orders, copy"},
	{"soft_active", corrected, soft, "active_rows", fullIndex, "soft_delete_orders"},
	{"soft_partial", withPartial, soft, "active_rows", partialIndex, "soft_delete_orders, partial index"},
}

// A comparison is a ratio of two readings and the comparison of an arm with
// itself that it is held against.
type comparison struct {
	name, above, below, floor string
	title                     string
}

// comparisons have the floors first.
var comparisons = []comparison{
	{"pk_floor", "hard_pk_again", "hard_pk", "", "primary key lookup, hard over itself"},
	{"active_floor", "hard_active_again", "hard_active", "", "active rows, hard over itself"},
	{"copy_floor", "hard_active_copy", "hard_active", "", "active rows, hard over its copy"},
	{"pk", "soft_pk", "hard_pk", "pk_floor", "primary key lookup, soft over hard"},
	{"active", "soft_active", "hard_active", "active_floor", "active rows, soft over hard"},
	{"partial", "soft_active", "soft_partial", "copy_floor", "active rows of soft, full over partial index"},
	{"parity", "soft_partial", "hard_active_copy", "active_floor", "active rows, soft with the partial index over hard"},
}
