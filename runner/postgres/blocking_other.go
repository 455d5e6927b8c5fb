//go:build !linux

package postgres

import (
	"context"
	"net"
)

// dial opens a connection.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, address)
}
