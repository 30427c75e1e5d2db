package sample

import "runtime"

// Allocated returns the bytes that f allocates when its pools are warm: the
// collector may empty them, so it is the least of a few runs.
func Allocated(f func()) uint64 {
	least := ^uint64(0)
	for range 4 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
