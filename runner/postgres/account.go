package postgres

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// account is the user under whom initdb and postgres run.
type account struct {
	name     string
	uid, gid int
	drop     bool // the tool is root, which PostgreSQL refuses, and the processes change to this account
}

// serverAccount is the tool's own account, or for root the one behind sudo, else postgres, else nobody. initdb wants an
// entry in the user database, so accounts without one are passed over.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{name: "this user", uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	if missing := missingCapabilities(); len(missing) > 0 {
		return account{}, &EnvironmentError{
			Problem: "root here lacks " + strings.Join(missing, ", ") + ", which running the server under another account needs",
			Remedy:  "run as an ordinary user, or start the container with --cap-add for these",
		}
	}
	if id := os.Getenv("SUDO_UID"); id != "" && id != "0" {
		if a, ok := dropTo(user.LookupId(id)); ok {
			return a, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		if a, ok := dropTo(user.Lookup(name)); ok {
			return a, nil
		}
	}
	return account{}, &EnvironmentError{
		Problem: "PostgreSQL refuses to run as root, and this system has no account postgres or nobody",
		Remedy:  "run as an ordinary user, or add one with: useradd --system postgres",
	}
}

// dropTo reads an entry of the user database; an account with the rights of root is not one to drop to.
func dropTo(u *user.User, err error) (account, bool) {
	if err != nil {
		return account{}, false
	}
	uid, errUID := strconv.Atoi(u.Uid)
	gid, errGID := strconv.Atoi(u.Gid)
	if errUID != nil || errGID != nil || uid == 0 {
		return account{}, false
	}
	return account{name: u.Username, uid: uid, gid: gid, drop: true}, true
}

// own gives a file or folder that the tool made to the account.
func (a account) own(path string) error {
	if !a.drop {
		return nil
	}
	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return &EnvironmentError{
			Problem: fmt.Sprintf("root here cannot give %q to account %q", path, a.name),
			Remedy:  "run as an ordinary user",
			Err:     err,
		}
	}
	return nil
}

// closedFolder returns the first folder on the way to path that the account may not enter, or "". A symbolic link on the
// way counts with both its ends.
func (a account) closedFolder(path string) string {
	ways := []string{path}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		ways = append(ways, real)
	}
	for _, way := range ways {
		var closed string
		for folder := way; ; folder = filepath.Dir(folder) {
			if info, err := os.Stat(folder); err == nil && info.IsDir() && !a.mayEnter(info) {
				closed = folder
			}
			if folder == filepath.Dir(folder) {
				break
			}
		}
		if closed != "" {
			return closed
		}
	}
	return ""
}
