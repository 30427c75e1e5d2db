package file

import (
	"os"
	"time"
)

// renameOpen reports whether a file can be renamed and removed while it is open.
const renameOpen = false

// lock does nothing: a file that is open cannot be removed.
func lock(*os.File) bool { return true }

// idle is longer than the moment between closing a file and renaming it.
const idle = time.Minute

// removeDead removes the file of that name unless its writer lives, and reports
// whether it did.
func removeDead(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > idle && os.Remove(name) == nil
}
