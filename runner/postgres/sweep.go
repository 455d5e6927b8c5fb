package postgres

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sweep removes the folders that dead runs left in parent and returns their paths. It takes only what carries our mark,
// belongs to the tool's user or the servers' account, and is locked by nobody: neither a tool nor a process of its
// servers is left. Process ids play no part. What cannot be removed stays for a later sweep.
func sweep(parent string, who account) []string {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	var swept []string
	for _, entry := range entries {
		path := filepath.Join(parent, entry.Name())
		if entry.IsDir() && strings.HasPrefix(entry.Name(), runPrefix) && sweepDead(path, who) {
			swept = append(swept, path)
		}
	}
	return swept
}

// sweepDead removes the folder at path if it belongs to a dead run, and tells whether it did.
func sweepDead(path string, who account) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedBy(info, os.Geteuid(), who.uid) {
		return false
	}
	lock, err := openUnfollowed(filepath.Join(path, lockName))
	if err != nil {
		return false
	}
	defer lock.Close()
	if held, err := tryLock(lock); !held || err != nil {
		return false
	}
	if !marked(lock) || !stillThere(lock, path) {
		return false
	}
	return removeMarkLast(path) == nil
}

// marked tells whether a lock file has our text. It is read while the lock is held: a run that is just being made has
// not written it yet.
func marked(lock *os.File) bool {
	text, err := io.ReadAll(io.LimitReader(lock, int64(len(magic))+1))
	return err == nil && string(text) == magic
}

// stillThere tells whether the lock that is held is the one in the folder: another sweep may have removed the folder
// before the lock was taken.
func stillThere(lock *os.File, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	current, err := os.Lstat(filepath.Join(path, lockName))
	return err == nil && os.SameFile(held, current)
}
