//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package file

import "os"

// renameOpen reports whether a file can be renamed and removed while it is open.
const renameOpen = false

// lock does nothing.
func lock(*os.File) bool { return true }

// removeDead does nothing: there is no telling whether a writer lives.
func removeDead(string) bool { return false }
