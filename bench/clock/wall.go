// Package clock reads the CPU time of the process, and the time on the wall.
package clock

import "time"

var start = time.Now()

// Wall returns nanoseconds of monotonic time since the program started.
func Wall() int64 { return int64(time.Since(start)) }
