package softdelete

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"deletecost/runner/postgres/testserver"
)

// TestWindowSlips shows the bug of the source's harness on ten rows: after the
// newest rows were deleted, max(id) + 1 is an id that was given out before, so
// the window ends below the end of the new batch.
func TestWindowSlips(t *testing.T) {
	conn, err := testserver.Start(t, "17").Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, sql := range []string{
		statement("schema", ""),
		"INSERT INTO hard_delete_orders (customer_id, status, amount_cents, payload, created_at) SELECT 1, 'paid', 1, '', now() FROM generate_series(1, 10)",
		"DELETE FROM hard_delete_orders WHERE id > 7",
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	var first int64
	if err := conn.QueryRow(t.Context(), "SELECT max(id) + 1 FROM hard_delete_orders").Scan(&first); err != nil {
		t.Fatal(err)
	}
	// Ids 11 to 20 follow, since an identity never goes back.
	if _, err := conn.Exec(t.Context(), statement("insert", hard), 10); err != nil {
		t.Fatal(err)
	}
	published, corrected := arm{slips: true}, arm{}
	// The window 8 to 17 holds 7 of the 10 new rows: all 7 go, although 10 were asked for.
	if n := removed(t, conn, published, first, 10); n != 7 {
		t.Errorf("the published window removed %d rows, want 7", n)
	}
	if n := removed(t, conn, corrected, 11, 10); n != 3 {
		t.Errorf("the corrected window found %d rows left of the batch, want 3", n)
	}
}

func removed(t *testing.T, conn *pgx.Conn, a arm, first, batch int64) int64 {
	t.Helper()
	tag, err := conn.Exec(t.Context(), a.removal(hard), first, first+batch-1, batch)
	if err != nil {
		t.Fatal(err)
	}
	return tag.RowsAffected()
}
