//go:build unix

package postgres

// systemEndpoint is a socket in the server's folder.
func systemEndpoint(folder string) (endpoint, error) { return onSocket(folder), nil }
