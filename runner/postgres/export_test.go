package postgres

// OnLoopback lets servers listen on TCP, as on Windows. Ports that are given are tried before one that is free.
func OnLoopback(c Config, ports ...string) Config {
	c.listen = func(folder string) (endpoint, error) {
		if len(ports) == 0 {
			return onLoopback(folder)
		}
		at := endpoint{address: loopback, port: ports[0]}
		ports = ports[1:]
		return at, nil
	}
	return c
}
