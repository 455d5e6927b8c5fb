package softdelete

import "time"

// A condition is how the client asks: its protocol, its keys and the network
// between it and the server.
type condition struct {
	name     string // in references and seeds
	label    string // in tables and figures
	title    string // in warnings and errors
	prepared bool   // extended protocol with a prepared statement, else simple
	fresh    bool   // a new random key each time, else 500 sampled ones reused
	added    time.Duration
}

func conditions(added time.Duration) []condition {
	return []condition{
		{name: "socket_simple", label: "socket, simple", title: "Unix socket, simple protocol, 500 sampled keys reused (the source's way of asking)"},
		{name: "socket_prepared", label: "socket, prepared", title: "Unix socket, prepared statement, fresh random keys", prepared: true, fresh: true},
		{name: "network_simple", label: added.String() + " away, simple", title: "as the first, with an injected round trip of " + added.String(), added: added},
	}
}

// sampledKeys is how many keys the source sampled.
const sampledKeys = 500

// A reading is one timed arm: a query on a table in a database.
type reading struct {
	name, database, table, query string
	label                        string // for the source's tables
}

// readings are the timed arms. The copy with the partial index is a
// byte-for-byte copy of the corrected arm, so its hard table is the same table
// once more: the arm against itself.
var readings = []reading{
	{"hard_pk", corrected, hard, "pk_lookup", "hard_delete_orders"},
	{"hard_pk_again", withPartial, hard, "pk_lookup", "hard_delete_orders, the same again"},
	{"soft_pk", corrected, soft, "pk_lookup", "soft_delete_orders"},
	{"hard_active", corrected, hard, "active_rows", "hard_delete_orders"},
	{"hard_active_again", withPartial, hard, "active_rows", "hard_delete_orders, the same again"},
	{"soft_active", corrected, soft, "active_rows", "soft_delete_orders"},
	{"soft_partial", withPartial, soft, "active_rows", "soft_delete_orders, partial index"},
}

// A comparison is a ratio of two readings and the floor it is held against.
type comparison struct {
	name, above, below, floor string
	title                     string
}

var comparisons = []comparison{
	{"pk", "soft_pk", "hard_pk", "hard_pk_again", "primary key lookup, soft over hard"},
	{"active", "soft_active", "hard_active", "hard_active_again", "active rows, soft over hard"},
	{"partial", "soft_active", "soft_partial", "hard_active_again", "active rows of soft, full over partial index"},
	{"parity", "soft_partial", "hard_active", "hard_active_again", "active rows, soft with the partial index over hard"},
	{"pk_floor", "hard_pk_again", "hard_pk", "", "primary key lookup, hard over itself"},
	{"active_floor", "hard_active_again", "hard_active", "", "active rows, hard over itself"},
}
