package postgres

import (
	"strings"
	"testing"
)

// What PostgreSQL's documentation asks of a server that only this machine reaches: listen_addresses on the loopback
// address or empty, and a rule in pg_hba.conf of the same kind and no other.
func TestEndpoints(t *testing.T) {
	for _, c := range []struct {
		at                  endpoint
		host, rule, address string
		sockets             string
	}{
		{onSocket("/run/x"), "/run/x", "local all all scram-sha-256", "", "/run/x"},
		{endpoint{address: "127.0.0.1", port: "50123"}, "127.0.0.1", "host all all 127.0.0.1/32 scram-sha-256", "127.0.0.1", ""},
	} {
		if got := c.at.host(); got != c.host {
			t.Errorf("%+v: host %q, want %q", c.at, got, c.host)
		}
		lines := strings.Split(strings.TrimSpace(c.at.hba()), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], "#") || lines[1] != c.rule {
			t.Errorf("%+v: rules %q, want %q alone", c.at, lines, c.rule)
		}
		conf, err := renderSettings(c.at, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"listen_addresses = '" + c.address + "'\n", "unix_socket_directories = '" + c.sockets + "'\n", "port = '" + c.at.port + "'\n",
		} {
			if !strings.Contains(conf, want) {
				t.Errorf("%+v: settings lack %q:\n%s", c.at, want, conf)
			}
		}
	}
}
