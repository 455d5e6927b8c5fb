package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// StartAgain says how to start a server that Config.Keep has left: as which account, and with which command for each of
// them. It is empty when there is none.
func (h *Host) StartAgain() string {
	entries, err := os.ReadDir(h.Folder)
	if err != nil {
		return ""
	}
	var commands []string
	for _, entry := range entries {
		data := filepath.Join(h.Folder, entry.Name(), "data")
		if _, err := os.Stat(filepath.Join(data, settingsFile)); err == nil {
			commands = append(commands, fmt.Sprintf("%q -D %q", h.program("postgres"), data))
		}
	}
	if len(commands) == 0 {
		return ""
	}
	return h.account.words() + " run " + strings.Join(commands, " or ")
}
