//go:build unix

package postgres

// UnderAWatcher supervises servers as on macOS.
func UnderAWatcher(c Config) Config {
	c.guarding = watchOverPipe
	return c
}
