package structwire

import (
	"slices"

	"github.com/weftcodec/weft/internal/wire"
)

// floatRoom is the most bytes that a number takes with what is before it, floatSpoil what a kernel spoils behind.
const floatRoom, floatSpoil = 28, 12

// floatChunk is the number of numbers handed to one call of a kernel, which cannot be preempted.
const floatChunk = 64

// AppendFloats appends the numbers of fs as [wire.AppendFloat64] does, each with a comma before it, but with "],["
// between two groups of so many numbers. It returns how many it has appended: it stops at one that is not finite.
func AppendFloats(b []byte, fs []float64, group int) ([]byte, int) {
	pos := 0 // numbers of the group that have been written
	for i := 0; i < len(fs); {
		k := 0
		if Have && wire.Vectors() {
			n := min(len(fs)-i, floatChunk)
			if room := cap(b) - len(b) - floatSpoil; room < floatRoom {
				b = slices.Grow(b, n*floatRoom+floatSpoil)
			} else {
				n = min(n, room/floatRoom)
			}
			d := b[len(b):cap(b)]
			var wrote int
			wrote, k = setFloats(&d[0], &fs[i], n, group, pos)
			b = b[:len(b)+wrote]
			if i += k; i > 0 {
				pos = (i-1)%group + 1
			}
			if k == n {
				continue
			}
		}
		// Numbers that the kernel leaves come together, so that after one others are better not tried.
		for range max(1, 8-2*k) {
			if i == len(fs) {
				break
			}
			f := fs[i]
			if f-f != 0 {
				return b, i
			}
			if pos == group {
				b, pos = append(b, ']', ',', '['), 0
			} else {
				b = append(b, ',')
			}
			b = wire.AppendFloat64(b, f)
			i++
			pos++
		}
	}
	return b, len(fs)
}
