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

// VerifyPart reads one part of a table back and returns what is wrong with it.
// Of the table it needs the columns, the key, and the other parts that there
// are, to name the one whose content is found instead.
func VerifyPart(dir string, table *TableManifest, part Part) []Fault {
	_, faults := verifyPart(dir, table, part, &Manifest{Tables: []TableManifest{*table}}, unpaced)
	return faults
}

// Points returns how many failpoints were reached.
func (d *Disk) Points() int {
	if d == nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.points
}
