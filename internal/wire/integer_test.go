package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// testInts calls f with every power of two and of ten, their neighbours, small numbers and random ones of every
// size.
func testInts(f func(u uint64)) {
	for u := range uint64(20_000) {
		f(u)
	}
	near := func(p uint64) {
		for d := range uint64(5) {
			f(p + d)
			f(p - d)
			f(-p + d)
		}
	}
	for p := uint64(1); p != 0; p <<= 1 {
		near(p)
	}
	for p, i := uint64(1), 0; i < 20; i++ {
		near(p)
		near(p * 9)
		near(p * 5)
		p *= 10
	}
	near(math.MaxUint64)
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 300_000 {
		f(rnd.Uint64() >> rnd.IntN(64))
	}
}

func TestAppendUint(t *testing.T) {
	full := make([]byte, 3)
	room := make([]byte, 3, 64)
	testInts(func(u uint64) {
		want := "\x00\x00\x00" + strconv.FormatUint(u, 10)
		if got := AppendUint(full, u); string(got) != want {
			t.Fatalf("AppendUint(%d) = %q", u, got)
		}
		if got := AppendUint(room, u); string(got) != want {
			t.Fatalf("AppendUint(%d) = %q", u, got)
		}
		if got, want := AppendInt(nil, int64(u)), strconv.FormatInt(int64(u), 10); string(got) != want {
			t.Fatalf("AppendInt(%d) = %q", int64(u), got)
		}
	})
}

func TestParse8Digits(t *testing.T) {
	testInts(func(u uint64) {
		u %= 1e8
		x := binary.LittleEndian.Uint64([]byte(fmt.Sprintf("%08d", u)))
		if !Is8Digits(x) {
			t.Fatalf("Is8Digits(%08d) = false", u)
		}
		if got := Parse8Digits(x); got != u {
			t.Fatalf("Parse8Digits(%08d) = %d", u, got)
		}
		for n := range 9 {
			if got, want := parseDigits(x>>(64-8*n), n), u%uint64(math.Pow10(n)); got != want {
				t.Fatalf("parseDigits of the last %d of %08d = %d", n, u, got)
			}
		}
		if got := digits8(u) | asciiZeros; got != x {
			t.Fatalf("digits8(%08d) = %#x", u, got)
		}
	})
	for at := range 8 {
		for c := range 256 {
			b := []byte("90818273")
			b[at] = byte(c)
			if got, want := Is8Digits(binary.LittleEndian.Uint64(b)), '0' <= c && c <= '9'; got != want {
				t.Errorf("Is8Digits(%q) = %v", b, got)
			}
			x, n := binary.LittleEndian.Uint64(b), 8
			if c < '0' || c > '9' {
				n = at
			}
			if got := CountDigits(x); got != n {
				t.Errorf("CountDigits(%q) = %d", b, got)
			}
			want, _ := strconv.ParseUint("0"+string(b[:n]), 10, 64)
			if got := parseDigits(x, n); got != want {
				t.Errorf("parseDigits(%q, %d) = %d", b, n, got)
			}
		}
	}
}

func BenchmarkAppendUint(b *testing.B) {
	dst := make([]byte, 0, 64)
	for _, u := range []uint64{7, 42, 1234, 123456, 1234567890, 505874924095815700} {
		b.Run(fmt.Sprintf("%d/wire", u), func(b *testing.B) {
			for b.Loop() {
				dst = AppendUint(dst[:0], u)
			}
		})
		b.Run(fmt.Sprintf("%d/strconv", u), func(b *testing.B) {
			for b.Loop() {
				dst = strconv.AppendUint(dst[:0], u, 10)
			}
		})
	}
}
