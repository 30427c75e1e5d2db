//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns how many bytes the process, or the largest of those that it has
// waited for, had in memory.
func peak(s *os.ProcessState) int64 {
	use, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	n := int64(use.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		n *= 1024 // others count in KiB
	}
	return n
}
