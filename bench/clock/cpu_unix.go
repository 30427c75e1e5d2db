//go:build linux || darwin || freebsd

package clock

import "golang.org/x/sys/unix"

// Name names the clock behind [CPU].
const Name = "process CPU time"

// CPU returns the CPU time this process has used, in nanoseconds.
func CPU() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		return Wall()
	}
	return ts.Nano()
}
