//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package file

import (
	"os"
	"syscall"
)

// renameOpen reports whether a file can be renamed and removed while it is open.
const renameOpen = true

// lock locks f until it is closed. It reports false where somebody else has the lock;
// a file system without locks is none that a file would be removed from.
func lock(f *os.File) bool {
	return flock(f) != syscall.EWOULDBLOCK
}

func flock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EINTR {
			return err
		}
	}
}

// removeDead removes the file of that name unless its writer lives, and reports
// whether it did.
func removeDead(name string) bool {
	// Where locks come from a server they need a file that is open for writing.
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && flock(f) == nil && isAt(f, name) && os.Remove(name) == nil
}
