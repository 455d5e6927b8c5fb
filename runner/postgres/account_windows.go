package postgres

import "io/fs"

// tryEntering is nil: on Windows the server runs under the tool's own account.
func (account) tryEntering(string) error { return nil }

// mayEnter is true: on Windows the server runs under the tool's own account.
func (account) mayEnter(fs.FileInfo) bool { return true }

// ownedBy is true: the temporary folder of Windows belongs to one user.
func ownedBy(fs.FileInfo, ...int) bool { return true }
