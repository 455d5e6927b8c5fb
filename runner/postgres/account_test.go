package postgres

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"strings"
	"testing"
)

func TestServerAccountOfAUser(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the tests run as root")
	}
	got, err := serverAccount()
	if err != nil || got.drop || got.uid != os.Geteuid() {
		t.Errorf("%+v, %v; want the user's own account", got, err)
	}
}

func TestServerAccountOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the tests do not run as root")
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	without := "nobody"
	if _, err := user.Lookup("postgres"); err == nil {
		without = "postgres"
	}
	for _, c := range []struct{ sudoUID, want string }{
		{nobody.Uid, "nobody"}, {"", without}, {"0", without}, {"x", without}, {"4242424", without},
	} {
		t.Setenv("SUDO_UID", c.sudoUID)
		got, err := serverAccount()
		if err != nil || got.name != c.want || !got.drop || got.uid == 0 {
			t.Errorf("SUDO_UID=%q: %+v, %v; want account %s", c.sudoUID, got, err, c.want)
		}
	}
}

func TestDropToRefusesRoot(t *testing.T) {
	for _, u := range []user.User{{Uid: "0", Gid: "0"}, {Uid: "x", Gid: "1"}, {Uid: "1", Gid: "x"}} {
		if a, ok := dropTo(&u, nil); ok {
			t.Errorf("%+v: %+v, want it refused", u, a)
		}
	}
	if _, ok := dropTo(nil, errors.New("unknown")); ok {
		t.Error("an account that does not exist was taken")
	}
}

func TestClosedFolder(t *testing.T) {
	top := t.TempDir()
	inner := top + "/inner"
	if err := os.MkdirAll(inner+"/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	stranger := account{uid: os.Geteuid() + 4242, gid: os.Getegid() + 4242}
	for _, folder := range []string{top + "/..", top, inner} {
		_ = os.Chmod(folder, 0o755)
	}
	for mode, closed := range map[os.FileMode]bool{0o755: false, 0o711: false, 0o750: true, 0o700: true, 0o744: true} {
		if err := os.Chmod(inner, mode); err != nil {
			t.Fatal(err)
		}
		got := stranger.closedFolder(inner + "/bin")
		if strings.HasSuffix(got, "/inner") != closed {
			t.Errorf("mode %s: closed folder %q, want inner: %v", strconv.FormatInt(int64(mode), 8), got, closed)
		}
	}
}
