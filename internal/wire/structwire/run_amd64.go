//go:build !purego

package structwire

import "github.com/weftcodec/weft/internal/wire"

// Have reports whether there is a kernel. The processor must have AVX2.
const Have = true

// Go goes on with r.
//
//go:noescape
func Go(r *Run)

// setFloats writes up to n numbers from src on to dst, each with a comma before it, and returns the bytes written and
// the numbers done: it stops at one that is an integer or not between 2^-19 and 2^52, or that takes a longer way to
// tell. After group numbers, of which there have been pos before, it writes "],[" for the comma. It takes up to
// floatRoom bytes for each number and spoils floatSpoil behind them.
//
//go:noescape
func setFloats(dst *byte, src *float64, n, group, pos int) (wrote, done int)

// pow10 is the table that the kernels have powers of ten from.
//
//lint:ignore U1000 the kernels use it
var pow10 = wire.Pow10

// widths has, for numbers of up to eight digits by how many of their 32 bits are zero before the first other one, how
// many digits they have, times 2^32. Where some have one digit less, that many are missing that 2^32 is reached with
// those of more.
var widths = [32]uint64{
	5: 8 << 32, 8 << 32, 8 << 32, 8<<32 - 1e7,
	7 << 32, 7 << 32, 7 << 32, 7<<32 - 1e6,
	6 << 32, 6 << 32, 6<<32 - 1e5,
	5 << 32, 5 << 32, 5<<32 - 1e4,
	4 << 32, 4 << 32, 4 << 32, 4<<32 - 1e3,
	3 << 32, 3 << 32, 3<<32 - 100,
	2 << 32, 2 << 32, 2<<32 - 10,
	1 << 32, 1 << 32, 1 << 32,
}
