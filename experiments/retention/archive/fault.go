package archive

import "fmt"

// A Fault is something that is wrong with an archive.
type Fault struct {
	File string // the name of the file within the folder
	What string // what is wrong with it
}

// String returns the fault on one line, the file quoted when it would not print
// as it is.
func (f Fault) String() string { return printable(f.File) + ": " + f.What }

// printable quotes a name that holds more than visible ASCII.
func printable(name string) string {
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || c == '"' {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}
