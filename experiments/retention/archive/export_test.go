package archive

// The mistakes that tests seed.
const (
	DropEarly     = dropEarly
	NoRecount     = noRecount
	NoLock        = noLock
	ReadCommitted = readCommitted
	NoFolderSync  = noFolderSync
	RowSecurityOn = rowSecurityOn
)

// Seed makes a Run with this configuration commit a mistake.
func (c *Config) Seed(m mistake) { c.mistake = m }
