package postgres

import (
	"slices"
	"strings"
	"testing"
)

// What PostgreSQL's documentation asks of a server that only this machine reaches: listen_addresses on the loopback
// address or empty, and rules in pg_hba.conf of the same kind and no other.
func TestEndpoints(t *testing.T) {
	for _, c := range []struct {
		at               endpoint
		host, kind, from string
		address, sockets string
	}{
		{onSocket("/run/x"), "/run/x", "local", "", "", "/run/x"},
		{endpoint{address: "127.0.0.1", port: "50123"}, "127.0.0.1", "host", "127.0.0.1/32 ", "127.0.0.1", ""},
	} {
		if got := c.at.host(); got != c.host {
			t.Errorf("%+v: host %q, want %q", c.at, got, c.host)
		}
		lines := strings.Split(strings.TrimSpace(c.at.hba()), "\n")
		// A rule for all databases does not match a replication connection (documentation, "The pg_hba.conf File").
		want := []string{c.kind + " all all " + c.from + "scram-sha-256", c.kind + " replication all " + c.from + "scram-sha-256"}
		if !strings.HasPrefix(lines[0], "#") || !slices.Equal(lines[1:], want) {
			t.Errorf("%+v: rules %q, want %q alone", c.at, lines, want)
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
