package fetch

import "fmt"

// bundleRemedy is the next step after a bundle that cannot be used.
const bundleRemedy = "make it again with deletecost bundle --out FILE"

// BundleError reports a file that is no bundle of this format, or one that lacks what was asked for.
type BundleError struct {
	// File is the bundle as the user named it.
	File string
	// Reason is what is wrong, as the rest of a sentence about the file.
	Reason string
	// Flags are what deletecost bundle needs beside --out FILE to make one that fits, each with a space before it.
	Flags string
}

func (e *BundleError) Error() string {
	return fmt.Sprintf("--bundle %q %s: name another one, or %s%s", e.File, e.Reason, bundleRemedy, e.Flags)
}

// BundleDamageError reports a bundle that is not as it was written. Nothing of it was run or kept, and no other source is asked.
type BundleDamageError struct {
	// File is the bundle as the user named it.
	File string
	// Reason is what is wrong, as the rest of a sentence about the file.
	Reason string
}

func (e *BundleDamageError) Error() string {
	return fmt.Sprintf("--bundle %q is damaged: it %s; nothing of it was run or kept; copy it again, or %s", e.File, e.Reason, bundleRemedy)
}
