package treedelete

import (
	"fmt"

	"deletecost/runner"
)

// rowBytes is more than a row takes in its table, its indexes and WAL.
const rowBytes = 600

// space is the disk that the tables need with their WAL: all stay until the end.
func space(v runner.Values) int64 {
	sweep := v["blocks"]*8 + 3*v["other_documents"]
	ways := 2*v["delay_blocks"] + 3*v["other_documents"]
	incident := v["incident"] * (incidentStatements + 3*v["other_documents"])
	among := 2 * 3 * v["most_documents"]
	missing := v["missing_rows"]*4 + max(500, v["depth_rows"])*40
	aside := missing + v["curve_batches"]*5000*10 + v["commit_blocks"]*64
	return ((3+2*v["first_copies"])*sweep+4*ways+4*incident+among+aside)*rowBytes + 512<<20
}

// check refuses knobs that do not fit together.
func check(v runner.Values) error {
	if v["delay_blocks"] > v["blocks"] {
		return fmt.Errorf("delay_blocks is %d and blocks %d: the tree of the round trips must not be larger than the document under test; lower delay_blocks", v["delay_blocks"], v["blocks"])
	}
	if v["round_trip_us"] == heldOutDelay.Microseconds() {
		return fmt.Errorf("round_trip_us is %d, the round trip that is held out of the fits: choose another", v["round_trip_us"])
	}
	return checkMissing(v)
}
