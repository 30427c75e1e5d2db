//go:build !purego

package structwire

import (
	"math/bits"
	"strconv"
	"testing"
)

// TestWidths has numbers on both sides of each power of two and of ten.
func TestWidths(t *testing.T) {
	for _, base := range []uint64{2, 10} {
		for power := uint64(1); power < 1e8; power *= base {
			for u := max(power, 2) - 1; u <= power+1; u++ {
				n := (widths[bits.LeadingZeros32(uint32(u))] + u) >> 32
				if want := len(strconv.FormatUint(u, 10)); n != uint64(want) {
					t.Errorf("%d has %d digits", u, n)
				}
			}
		}
	}
}
