package wire

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestIsMultiple checks multiples against those of package big, and the order of numbers too.
func TestIsMultiple(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func(digits int) string {
		b := strconv.AppendUint(nil, r.Uint64N(1<<(r.Uint64N(40)+1)), 10)
		for range r.IntN(digits) {
			b = append(b, byte('0'+r.IntN(10)))
		}
		return string(strconv.AppendInt(append(b, 'e'), int64(r.IntN(9)-4), 10))
	}
	for range 20000 {
		x, m := number(30), number(5)
		a, _ := new(big.Rat).SetString(x)
		b, _ := new(big.Rat).SetString(m)
		if got, want := CompareNumbers(x, m), a.Cmp(b); got != want {
			t.Fatalf("%s is compared with %s: %d, want %d", x, m, got, want)
		}
		if got, want := CompareNumbers("-"+x, "-"+m), b.Cmp(a); got != want {
			t.Fatalf("-%s is compared with -%s: %d, want %d", x, m, got, want)
		}
		if b.Sign() == 0 {
			continue
		}
		if got, want := IsMultiple(x, m), new(big.Rat).Quo(a, b).IsInt(); got != want {
			t.Fatalf("%s of %s: %v, want %v", x, m, got, want)
		}
	}
}
