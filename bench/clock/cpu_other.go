//go:build !(linux || darwin || freebsd)

package clock

// Name names the clock behind [CPU].
const Name = "wall clock (no process CPU clock on this platform)"

// CPU returns a monotonic wall-clock reading in nanoseconds: the closest
// thing to CPU time that this platform offers without system-specific code.
func CPU() int64 { return Wall() }
