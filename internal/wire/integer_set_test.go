package wire

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

func TestSetIntLikeStrconv(t *testing.T) {
	check := func(v int64) {
		var b [32]byte
		w := mem.BytesOf(b[:])
		if got, want := string(b[2:SetInt(w, 2, v)]), strconv.FormatInt(v, 10); got != want {
			t.Fatalf("SetInt(%d) = %q", v, got)
		}
		if got, want := string(b[3:SetUint(w, 3, uint64(v))]), strconv.FormatUint(uint64(v), 10); got != want {
			t.Fatalf("SetUint(%d) = %q", uint64(v), got)
		}
	}
	for _, v := range []int64{0, math.MinInt64, math.MaxInt64, -1} {
		check(v)
	}
	for p := int64(1); p > 0 && p <= 1e18; p *= 10 {
		for d := int64(-2); d <= 2; d++ {
			check(p + d)
			check(-p + d)
			check(9*p + d)
		}
	}
	for range 200000 {
		check(int64(rand.Uint64() >> rand.IntN(64)))
	}
}

func TestSetPadded(t *testing.T) {
	for n := 1; n <= 18; n++ {
		for _, u := range []uint64{0, 1, 9, 10, 12345678, 99999999, 1e8, 123456789012345678, 999999999999999999, math.MaxUint64} {
			var b [32]byte
			text := strconv.FormatUint(u, 10)
			fits := SetPadded(mem.BytesOf(b[:]), 2, n, u)
			if fits != (len(text) <= n) || fits && string(b[2:2+n]) != strings.Repeat("0", n-len(text))+text {
				t.Errorf("SetPadded(%d, %d) = %q, %v", n, u, b[2:2+n], fits)
			}
		}
	}
}
