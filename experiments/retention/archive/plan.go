package archive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxLockTimeout is the most that the server takes, 2^31-1 ms. It understands
// less than a millisecond as no bound at all.
const maxLockTimeout = (1<<31 - 1) * time.Millisecond

// checked returns the configuration with its zero values filled in, or all that
// is wrong with it. Nothing was looked up yet.
func (cfg Config) checked() (Config, error) {
	var wrong []error
	refuse := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if cfg.Conn == nil {
		refuse("no Conn to reach the server by")
	}
	if strings.TrimSpace(cfg.Dir) == "" {
		refuse("no folder for the archive: name one that does not exist")
	}
	if len(cfg.Tables) == 0 || len(cfg.Tables) != len(cfg.Parents) {
		refuse("%d tables and %d parents: name at least one table, and a parent for each", len(cfg.Tables), len(cfg.Parents))
	}
	if cfg.PartRows < 1 || cfg.PartRows > MaxPartRows {
		refuse("%d rows a part: choose 1 to %d", cfg.PartRows, MaxPartRows)
	}
	if cfg.Method == "" {
		cfg.Method = MethodCopy
	}
	if cfg.Method != MethodCopy && cfg.Method != MethodSource {
		refuse("method %q: choose %s or %s", cfg.Method, MethodCopy, MethodSource)
	}
	if cfg.Method == MethodCopy && (cfg.Level < 1 || cfg.Level > 9) {
		refuse("gzip level %d: choose 1 (fast) to 9 (small)", cfg.Level)
	}
	if cfg.Method == MethodSource && cfg.Restore {
		refuse("method %s writes JSON that does not bring every value back: it cannot be restored and compared", MethodSource)
	}
	if cfg.Streams < 0 {
		refuse("%d streams: there cannot be less than 0", cfg.Streams)
	}
	if cfg.LockTimeout != 0 && (cfg.LockTimeout < time.Millisecond || cfg.LockTimeout > maxLockTimeout) {
		refuse("lock timeout %v: choose 1ms to %v", cfg.LockTimeout, maxLockTimeout)
	}
	if cfg.RowsPerSecond < 0 {
		refuse("%d rows a second: choose a bound, or 0 for none", cfg.RowsPerSecond)
	}
	if cfg.RowsPerSecond > 0 && cfg.Method == MethodSource {
		refuse("%d rows a second: method %s keeps to no pace", cfg.RowsPerSecond, MethodSource)
	}
	cfg.Streams = max(cfg.Streams, 1)
	if cfg.LockTimeout == 0 {
		cfg.LockTimeout = DefaultLockTimeout
	}
	if cfg.Key == "" {
		cfg.Key = DefaultKey
	}
	return cfg, preflightError(wrong)
}

// relations makes the tables of a configuration, not looked up yet.
func (cfg Config) relations() ([]*relation, error) {
	var all []*relation
	for i, name := range cfg.Tables {
		table, err := splitName(name)
		parent, err2 := splitName(cfg.Parents[i])
		if err := errors.Join(err, err2); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPreflight, err)
		}
		t := &relation{schema: table[0], name: table[1], parent: parent}
		if slices.ContainsFunc(all, func(u *relation) bool { return u.ident() == t.ident() }) {
			return nil, fmt.Errorf("%w: table %s is named twice", ErrPreflight, t.ident())
		}
		all = append(all, t)
	}
	return all, nil
}

// preflightError joins what stands in the way.
func preflightError(wrong []error) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrPreflight, errors.Join(wrong...))
}
