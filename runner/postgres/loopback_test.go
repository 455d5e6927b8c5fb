package postgres_test

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"deletecost/runner/postgres"
)

// takenPort is a port of the loopback address that somebody else listens on.
func takenPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestServerOnLoopback(t *testing.T) {
	host := openHost(t, postgres.OnLoopback(testConfig(t, "17"), takenPort(t), takenPort(t)))
	server := startServer(t, host, postgres.Options{})
	for query, want := range map[string]string{
		"SHOW listen_addresses":           "127.0.0.1",
		"SHOW unix_socket_directories":    "",
		"SELECT host(inet_server_addr())": "127.0.0.1",
		"SELECT string_agg(DISTINCT concat_ws(' ', type, address, netmask, auth_method), ',') FROM pg_hba_file_rules": "host 127.0.0.1 255.255.255.255 scram-sha-256",
	} {
		if got := ask(t, server, query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	config := server.ConnConfig()
	config.Password = "wrong"
	_, err := pgx.ConnectConfig(t.Context(), config)
	if answer, ok := errors.AsType[*pgconn.PgError](err); !ok || answer.Code != "28P01" { // invalid_password
		t.Errorf("a wrong password: %v, want SQLSTATE 28P01", err)
	}
	if err := server.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// Another PostgreSQL on the port must not be taken for the server, though it answers.
func TestLoopbackPortOfAnotherServer(t *testing.T) {
	config := testConfig(t, "17")
	other := startServer(t, openHost(t, postgres.OnLoopback(config)), postgres.Options{Name: "other"})
	port := ask(t, other, "SHOW port")
	server := startServer(t, openHost(t, postgres.OnLoopback(config, port)), postgres.Options{})
	if got := ask(t, server, "SHOW port"); got == port {
		t.Errorf("both servers have port %s", port)
	}
}

func TestLoopbackWithoutAPort(t *testing.T) {
	port := takenPort(t)
	ports := strings.Fields(strings.Repeat(port+" ", 20))
	host := openHost(t, postgres.OnLoopback(testConfig(t, "17"), ports...))
	_, err := host.Start(t.Context(), postgres.Options{})
	if lacks, ok := errors.AsType[*postgres.EnvironmentError](err); !ok || !strings.Contains(lacks.Problem, "20 ports of 127.0.0.1") {
		t.Errorf("%v, want it said that no port was to be had", err)
	}
}
