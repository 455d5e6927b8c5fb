package fetch

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"deletecost/fixtures"
)

// accept compares what a source gave with the pin; what passes gets its links and its listing.
func (e entry) accept(s source, tree string) error {
	if e.pin.File != "" {
		return e.acceptFile(s, tree)
	}
	c, err := readContent(tree)
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	if got := c.digest(); got != e.pin.Digest {
		return &DigestError{File: s.coordinates, Source: s.name, Want: e.pin.Digest, Got: got}
	}
	err = makeLinks(tree, e.pin.Links)
	if err == nil {
		err = writeListing(filepath.Join(tree, listingName), c.listing())
	}
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	return nil
}

func writeListing(name, listing string) error {
	if err := os.WriteFile(name, []byte(listing), 0o644); err != nil {
		return err
	}
	return os.Chmod(name, 0o644) // whatever the umask is
}

func (e entry) acceptFile(s source, tree string) error {
	data, err := os.ReadFile(filepath.Join(tree, path.Base(e.pin.File)))
	if err != nil {
		return &CacheError{Dir: e.cache, Err: err}
	}
	if got := digest(data); got != e.pin.Digest {
		return &DigestError{File: s.coordinates, Source: s.name, Want: e.pin.Digest, Got: got}
	}
	return nil
}

func makeLinks(tree string, links []fixtures.Link) error {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, l := range links {
		if err := insideRoots(l); err != nil {
			return err
		}
		if err := root.Symlink(l.Target, l.Path); err != nil {
			return err
		}
	}
	return nil
}

// insideRoots refuses a link that leaves its tree; a pin that holds one is a mistake of ours.
func insideRoots(l fixtures.Link) error {
	to := path.Join(path.Dir(l.Path), l.Target)
	if path.IsAbs(l.Target) || !filepath.IsLocal(l.Path) || !filepath.IsLocal(to) {
		return fmt.Errorf("making link %q to %q: it leaves its folder", l.Path, l.Target)
	}
	return nil
}
