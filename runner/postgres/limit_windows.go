package postgres

// raiseFileLimit does nothing: Windows has no such limit.
func raiseFileLimit() error { return nil }
