package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// checkFloats holds AppendFloats to AppendFloat64.
func checkFloats(t *testing.T, fs []float64, group int) {
	t.Helper()
	want := []byte("x")
	n := 0
	for i, f := range fs {
		if f-f != 0 {
			break
		}
		if i > 0 && i%group == 0 {
			want = append(want, "],["...)
		} else {
			want = append(want, ',')
		}
		want = AppendFloat64(want, f)
		n++
	}
	got, done := AppendFloats([]byte("x"), fs, group)
	if done != n || !bytes.Equal(got, want) {
		t.Fatalf("AppendFloats(%v, %d) = %s, %d, want %s, %d", fs, group, got, done, want, n)
	}
}

func TestAppendFloats(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(19, 20))
		for range scaled(*rounds * 2_000) {
			fs := make([]float64, rnd.IntN(3*floatChunk))
			kind := rnd.IntN(6)
			for i := range fs {
				switch k := kind; k {
				case 0: // as they come
					fs[i] = math.Float64frombits(rnd.Uint64())
				case 1: // those that the kernel takes
					fs[i] = math.Float64frombits(rnd.Uint64()&^(0x7ff<<52) | uint64(1000+rnd.IntN(80))<<52)
				case 2:
					fs[i] = float64(rnd.IntN(1e9)) / math.Pow10(rnd.IntN(12))
				case 3:
					fs[i] = float64(rnd.IntN(2e9)-1e9) / float64(uint64(1)<<rnd.IntN(30))
				case 4:
					fs[i] = rnd.Float64()*360 - 180
				default:
					fs[i] = float64(rnd.IntN(100)) / 4
				}
				if rnd.IntN(2000) == 0 {
					fs[i] = math.NaN()
				}
			}
			checkFloats(t, fs, 1+rnd.IntN(len(fs)+3))
		}
	})
}

// The kernel agrees with the function about the numbers at the edges, each of them alone and after another one.
func TestAppendFloatsHard(t *testing.T) {
	if !HasFloats() {
		t.Skip("no kernel")
	}
	hardFloats(func(u uint64) {
		for _, u := range [...]uint64{u, u | 1<<63} {
			checkFloats(t, []float64{0.1, math.Float64frombits(u)}, 1)
		}
	})
}

// A mantissa is swept in all exponents that the kernel takes.
func TestAppendFloatsMantissas(t *testing.T) {
	if !HasFloats() {
		t.Skip("no kernel")
	}
	rnd := rand.New(rand.NewPCG(21, 22))
	fs := make([]float64, 80)
	for range scaled(*rounds * 1_000) {
		c := rnd.Uint64() >> 12
		if rnd.IntN(2) == 0 { // few bits
			c = rnd.Uint64() >> 12 & (1<<rnd.IntN(53) - 1) << rnd.IntN(53) & (1<<52 - 1)
		}
		for i := range fs {
			fs[i] = math.Float64frombits(uint64(1000+i)<<52 | c)
		}
		checkFloats(t, fs, 3)
	}
}

// FuzzAppendFloats holds AppendFloats to AppendFloat64, and this to strconv: for each number, and for one with its
// mantissa that the kernel may take.
func FuzzAppendFloats(f *testing.F) {
	f.Add([]byte("\x9a\x99\x99\x99\x99\x99\xb9\x3f\x00\x00\x00\x00\x00\x00\xf0\x3f"), 1)
	f.Add([]byte("\x52\xb8\x1e\x85\xeb\x51\x50\xc0\x29\x5c\x8f\xc2\xf5\xa8\x45\x40"), 2)
	f.Fuzz(func(t *testing.T, b []byte, group int) {
		var fs []float64
		for ; len(b) >= 8; b = b[8:] {
			u := binary.LittleEndian.Uint64(b)
			near := u&^(0x7ff<<52) | (1000+u>>52%80)<<52
			checkFloat64(t, u)
			checkFloat64(t, near)
			fs = append(fs, math.Float64frombits(near), math.Float64frombits(u))
		}
		checkFloats(t, fs, 1+int(uint(group)%8))
	})
}
