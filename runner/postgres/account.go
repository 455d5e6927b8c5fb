package postgres

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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

// words name the account as the one that does something.
func (a account) words() string {
	if a.drop {
		return fmt.Sprintf("as account %q", a.name)
	}
	return "as " + a.name
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

// reach wants the account to be able to enter a folder, or where it does not exist the nearest one above it. The remedy
// ends the error, an *EnvironmentError that names the folder which is closed.
func (a account) reach(folder, remedy string) error {
	if !a.drop {
		return nil
	}
	folder = existing(folder)
	err := a.tryEntering(folder)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, syscall.EACCES):
		return &EnvironmentError{Problem: fmt.Sprintf("root here cannot become account %q", a.name), Remedy: "run as an ordinary user", Err: err}
	}
	if closed := a.closedFolder(folder); closed != "" {
		folder = closed
	}
	return &EnvironmentError{Problem: fmt.Sprintf("folder %q is closed to account %q, under which root runs the server", folder, a.name), Remedy: remedy}
}

// existing is the folder itself, or the nearest one above it that is there.
func existing(folder string) string {
	for folder != filepath.Dir(folder) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		folder = filepath.Dir(folder)
	}
	return folder
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
