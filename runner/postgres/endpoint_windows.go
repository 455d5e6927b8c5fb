package postgres

// systemEndpoint is on TCP: Windows guards no socket by the mode of its folder. It was compiled and not run; a server on
// TCP was run on Linux.
func systemEndpoint(folder string) (endpoint, error) { return onLoopback(folder) }
