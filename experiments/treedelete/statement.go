package treedelete

import "deletecost/runner"

// statement is one of fixtures; pairs are a word such as ":document" and what
// stands for it.
func statement(name string, pairs ...string) string {
	return runner.Statement("treedelete", name, pairs...)
}
