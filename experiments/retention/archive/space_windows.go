package archive

import "golang.org/x/sys/windows"

// freeSpace returns the bytes that this user may still write.
func freeSpace(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, err
	}
	return free64(free), nil
}

func free64(n uint64) int64 { return int64(min(n, 1<<62)) }
