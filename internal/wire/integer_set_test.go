package wire

import (
	"math"
	"math/rand/v2"
	"strconv"
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
