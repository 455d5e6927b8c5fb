//go:build !linux

package postgres

// missingCapabilities is empty: only Linux divides the rights of root.
func missingCapabilities() []string { return nil }
