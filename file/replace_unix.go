//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// chmodCounts reports whether permissions are all in the mode.
const chmodCounts = true

// keepOwner gives f the owner and group of old, as far as the process may.
func keepOwner(f *os.File, old fs.FileInfo) {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	now, err := f.Stat()
	if err != nil {
		return
	}
	if have, ok := now.Sys().(*syscall.Stat_t); ok && (have.Uid != want.Uid || have.Gid != want.Gid) {
		if f.Chown(int(want.Uid), int(want.Gid)) != nil {
			f.Chown(-1, int(want.Gid))
		}
	}
}

// syncDir makes the names in a folder durable.
func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil // it may be written to and not read
		}
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // the file system has no such thing
	}
	return errors.Join(err, dir.Close())
}
