// Package diskspace says how much room a file system has.
package diskspace

import "golang.org/x/sys/windows"

// Free returns the bytes that this user may still write to the volume that holds dir.
func Free(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, 1<<62)), nil
}
