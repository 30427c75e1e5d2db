package structwire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// checkFloats holds AppendFloats, and the same numbers as members, to AppendFloat64.
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
		want = wire.AppendFloat64(want, f)
		n++
	}
	got, done := AppendFloats([]byte("x"), fs, group)
	if done != n || !bytes.Equal(got, want) {
		t.Fatalf("AppendFloats(%v, %d) = %s, %d, want %s, %d", fs, group, got, done, want, n)
	}
	if !Have || !wire.Vectors() {
		return
	}
	m, buf := Member{Kind: Float64}, make([]byte, 4*Slack)
	m.N = uint8(copy(m.Name[:], `,"f":`))
	for _, f := range fs {
		r := Run{Member: &m, P: mem.To(&f), Base: mem.BytesOf(buf), Limit: len(buf) - Slack}
		Go(&r)
		want := strconv.AppendFloat(nil, f, 'g', -1, 64)
		if f-f == 0 {
			want = wire.AppendFloat64(nil, f)
		}
		a, fits := math.Abs(f), r.Member == nil
		if got := buf[len(`,"f":`):r.At]; fits && !bytes.Equal(got, want) || !fits && len(got) > 0 {
			t.Fatalf("%s is written as %s, kernel: %t", want, got, fits)
		}
		if !fits && 1e-5 < a && a < 1e15 && len(want) < 16 {
			t.Fatalf("%s is left", want)
		}
	}
}

// eachLevel runs f as a subtest under every instruction set of this machine.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, name := range wire.Levels() {
		t.Run(name, func(t *testing.T) {
			defer wire.SetLevel(name)()
			f(t)
		})
	}
}

func TestAppendFloats(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(19, 20))
		for range 2_000 {
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
	if !Have {
		t.Skip("no kernel")
	}
	near := func(u uint64) {
		for d := u - 3; d != u+4; d++ {
			for _, u := range [...]uint64{d, d | 1<<63} {
				checkFloats(t, []float64{0.1, math.Float64frombits(u)}, 1)
			}
		}
	}
	for e := uint64(1000); e < 1080; e++ {
		for _, c := range []uint64{0, 1 << 51, 0x5555555555555} {
			near(e<<52 | c)
		}
	}
	for e := -26; e <= 18; e++ {
		for _, m := range []string{"1", "2", "5", "9", "1.5", "9.5", "1.25", "123456789", "9007199254740993", "4503599627370496.5"} {
			f, err := strconv.ParseFloat(m+"e"+strconv.Itoa(e), 64)
			if err != nil {
				t.Fatal(err)
			}
			near(math.Float64bits(f))
		}
	}
}

// A mantissa is swept in all exponents that the kernel takes.
func TestAppendFloatsMantissas(t *testing.T) {
	if !Have {
		t.Skip("no kernel")
	}
	rnd := rand.New(rand.NewPCG(21, 22))
	fs := make([]float64, 80)
	for range 1_000 {
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

// FuzzAppendFloats holds AppendFloats to AppendFloat64, and this to encoding/json: for each number, and for one with its
// mantissa that the kernel may take.
func FuzzAppendFloats(f *testing.F) {
	f.Add([]byte("\x9a\x99\x99\x99\x99\x99\xb9\x3f\x00\x00\x00\x00\x00\x00\xf0\x3f"), 1)
	f.Add([]byte("\x52\xb8\x1e\x85\xeb\x51\x50\xc0\x29\x5c\x8f\xc2\xf5\xa8\x45\x40"), 2)
	f.Fuzz(func(t *testing.T, b []byte, group int) {
		var fs []float64
		for ; len(b) >= 8; b = b[8:] {
			u := binary.LittleEndian.Uint64(b)
			near := u&^(0x7ff<<52) | (1000+u>>52%80)<<52
			for _, f := range [...]float64{math.Float64frombits(near), math.Float64frombits(u)} {
				fs = append(fs, f)
				want, err := json.Marshal(f)
				if got := wire.AppendFloat64(nil, f); err == nil && !bytes.Equal(got, want) {
					t.Fatalf("AppendFloat64 appends %s, want %s", got, want)
				}
			}
		}
		checkFloats(t, fs, 1+int(uint(group)%8))
	})
}
