//go:build !unix

package file

import (
	"io/fs"
	"os"
)

// chmodCounts reports whether permissions are all in the mode.
const chmodCounts = false

// keepOwner does nothing: the folder decides.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDir does nothing: folders cannot be synced.
func syncDir(string) error { return nil }
