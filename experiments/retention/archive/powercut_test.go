package archive

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A powerCut is the worst that a file system may do to one folder when the
// power fails: names are those of the last fsync of the folder, and a file
// holds what it held at its own last fsync. It learns by being a Disk's Fail.
type powerCut struct {
	t       *testing.T
	dir     string
	now     map[string]*inode // by the names that programs see
	durable map[string]*inode // by the names of the last fsync of the folder
	next    func(point int, name string) error

	made, lasts bool // the folder: it was made, and the folder above it fsynced since
}

// An inode is a file, whatever its name.
type inode struct{ synced []byte }

func newPowerCut(t *testing.T, dir string) *powerCut {
	return &powerCut{t: t, dir: dir, now: make(map[string]*inode), durable: make(map[string]*inode)}
}

// fail notes what was done and asks next, if there is one, whether to go on.
func (c *powerCut) fail(point int, name string) error {
	words := strings.SplitN(name, " ", 3)
	if words[0] == "after" && len(words) == 3 {
		c.note(words[1], words[2])
	}
	if c.next == nil {
		return nil
	}
	return c.next(point, name)
}

func (c *powerCut) note(operation, file string) {
	switch operation {
	case "mkdir":
		c.made = true
	case "create":
		if c.now[file] == nil {
			c.now[file] = new(inode)
		}
	case "fsync":
		content, err := os.ReadFile(filepath.Join(c.dir, file))
		if err != nil {
			c.t.Fatal(err)
		}
		c.now[file].synced = content
	case "link":
		for name, i := range c.now {
			if strings.HasPrefix(name, file+".") {
				c.now[file] = i
			}
		}
	case "rename":
		c.now[file] = c.now[file+TempSuffix]
		delete(c.now, file+TempSuffix)
	case "remove":
		delete(c.now, file)
	case "fsync-folder":
		switch file {
		case filepath.Base(c.dir):
			c.durable = maps.Clone(c.now)
		case filepath.Base(filepath.Dir(c.dir)):
			c.lasts = c.made
		}
	}
}

// cut leaves in the folder what is there when the power is back.
func (c *powerCut) cut() {
	c.t.Helper()
	for name := range files(c.t, c.dir) {
		if err := os.Remove(filepath.Join(c.dir, name)); err != nil {
			c.t.Fatal(err)
		}
	}
	if c.made && !c.lasts {
		return // the folder has no name
	}
	for name, i := range c.durable {
		put(c.t, c.dir, name, i.synced)
	}
}
