//go:build !purego

package wire

// setFloats writes up to n numbers from src on to dst, each with a comma before it, and returns the bytes written and
// the numbers done: it stops at one that is an integer, a power of two or not between 2^-19 and 2^52, or that only
// shortestExact can tell. After group numbers, of which there have been pos before, it writes "],[" for the comma. It
// takes up to floatRoom bytes for each number and spoils floatSpoil behind them.
//
//go:noescape
func setFloats(dst *byte, src *float64, n, group, pos int) (wrote, done int)

// hasFloats reports whether setFloats may be called.
func hasFloats() bool { return level != levelGeneric }
