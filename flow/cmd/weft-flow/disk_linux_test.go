package main

import (
	"errors"
	"fmt"
	"syscall"
)

// smallDisk puts a disk of a size at a folder, or gives the one that is there another size. Only root may.
func smallDisk(dir string, size int) error {
	data := fmt.Sprintf("size=%d", size)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, data); !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, data)
}

// freeDisk takes the disk away.
func freeDisk(dir string) { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }
