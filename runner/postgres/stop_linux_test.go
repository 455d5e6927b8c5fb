package postgres_test

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"deletecost/runner/postgres"
	"deletecost/runner/postgres/testserver"
)

// A client hears of the end of a postmaster before it is over: whoever stops the server then must still be told.
func TestStopTellsOfAServerThatIsEnding(t *testing.T) {
	for _, kill := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL, syscall.SIGINT} {
		server := startServer(t, openHost(t, testConfig(t, "17")), postgres.Options{Name: "ending"})
		conn := testserver.Connect(t, server)
		if err := syscall.Kill(server.Pid(), kill); err != nil {
			t.Fatal(err)
		}
		for { // a connection outlives a postmaster that was killed, for a while
			if _, err := conn.Exec(t.Context(), "SELECT 1"); err != nil || kill == syscall.SIGKILL {
				break
			}
		}
		err := server.Stop(context.Background())
		if err == nil || !strings.Contains(err.Error(), `"ending" ended by itself`) || !errors.Is(err, server.Err()) {
			t.Errorf("%v: %v, want it to tell how the server ended", kill, err)
		}
		if strings.Count(err.Error(), "ended by itself") != 1 {
			t.Errorf("%v: told more than once: %v", kill, err)
		}
	}
}
