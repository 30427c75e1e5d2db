package packwire

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// filled returns head followed by n bytes of filling.
func filled(head string, n int) string { return head + strings.Repeat("x", n) }

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		v    int64
		want string
	}{
		{0, "\x00"}, {1, "\x01"}, {127, "\x7f"}, {128, "\xcc\x80"}, {255, "\xcc\xff"},
		{256, "\xcd\x01\x00"}, {65535, "\xcd\xff\xff"}, {65536, "\xce\x00\x01\x00\x00"},
		{math.MaxUint32, "\xce\xff\xff\xff\xff"}, {math.MaxUint32 + 1, "\xcf\x00\x00\x00\x01\x00\x00\x00\x00"},
		{math.MaxInt64, "\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"},
		{-1, "\xff"}, {-32, "\xe0"}, {-33, "\xd0\xdf"}, {-128, "\xd0\x80"}, {-129, "\xd1\xff\x7f"},
		{-32768, "\xd1\x80\x00"}, {-32769, "\xd2\xff\xff\x7f\xff"}, {math.MinInt32, "\xd2\x80\x00\x00\x00"},
		{math.MinInt32 - 1, "\xd3\xff\xff\xff\xff\x7f\xff\xff\xff"},
		{math.MinInt64, "\xd3\x80\x00\x00\x00\x00\x00\x00\x00"},
	} {
		t.Run(c.want, func(t *testing.T) {
			got := string(AppendInt(nil, c.v))
			if got != c.want {
				t.Errorf("AppendInt(%d) = %x, want %x", c.v, got, c.want)
			}
			if v, end := ReadInt([]byte(c.want), 0); v != c.v || end != len(c.want) {
				t.Errorf("ReadInt(%x) = %d, %d", c.want, v, end)
			}
			for n := range len(c.want) {
				if _, end := ReadInt([]byte(c.want[:n]), 0); end != Short {
					t.Errorf("ReadInt(%x) ends at %d, want Short", c.want[:n], end)
				}
			}
			u, end := ReadUint([]byte(c.want), 0)
			if c.v >= 0 {
				if got := string(AppendUint(nil, uint64(c.v))); got != c.want {
					t.Errorf("AppendUint(%d) = %x, want %x", c.v, got, c.want)
				}
				if u != uint64(c.v) || end != len(c.want) {
					t.Errorf("ReadUint(%x) = %d, %d", c.want, u, end)
				}
			} else if end != Range {
				t.Errorf("ReadUint(%x) ends at %d, want Range", c.want, end)
			}
		})
	}
	if got := AppendUint(nil, math.MaxUint64); string(got) != "\xcf\xff\xff\xff\xff\xff\xff\xff\xff" {
		t.Errorf("AppendUint(max) = %x", got)
	} else if v, end := ReadUint(got, 0); v != math.MaxUint64 || end != 9 {
		t.Errorf("ReadUint(max) = %d, %d", v, end)
	} else if _, end := ReadInt(got, 0); end != Range {
		t.Errorf("ReadInt(max) ends at %d, want Range", end)
	}
}

// TestLongForms reads integers in forms that are not the shortest.
func TestLongForms(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int64
	}{
		{"\xcc\x01", 1}, {"\xcd\x00\x01", 1}, {"\xce\x00\x00\x00\x01", 1}, {"\xcf\x00\x00\x00\x00\x00\x00\x00\x01", 1},
		{"\xd0\x01", 1}, {"\xd1\x00\x01", 1}, {"\xd2\x00\x00\x00\x01", 1}, {"\xd3\x00\x00\x00\x00\x00\x00\x00\x01", 1},
		{"\xd0\xff", -1}, {"\xd1\xff\xff", -1}, {"\xd2\xff\xff\xff\xff", -1}, {"\xd3\xff\xff\xff\xff\xff\xff\xff\xff", -1},
	} {
		t.Run(c.in, func(t *testing.T) {
			if v, end := ReadInt([]byte(c.in), 0); v != c.want || end != len(c.in) {
				t.Errorf("ReadInt(%x) = %d, %d", c.in, v, end)
			}
			if v, end := ReadUint([]byte(c.in), 0); c.want > 0 && (v != uint64(c.want) || end != len(c.in)) {
				t.Errorf("ReadUint(%x) = %d, %d", c.in, v, end)
			}
			if v, end := ReadFloat64([]byte(c.in), 0); v != float64(c.want) || end != len(c.in) {
				t.Errorf("ReadFloat64(%x) = %v, %d", c.in, v, end)
			}
		})
	}
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		n                     int
		str, bin, array, maps string
	}{
		{0, "\xa0", "\xc4\x00", "\x90", "\x80"},
		{15, "\xaf", "\xc4\x0f", "\x9f", "\x8f"},
		{16, "\xb0", "\xc4\x10", "\xdc\x00\x10", "\xde\x00\x10"},
		{31, "\xbf", "\xc4\x1f", "\xdc\x00\x1f", "\xde\x00\x1f"},
		{32, "\xd9\x20", "\xc4\x20", "\xdc\x00\x20", "\xde\x00\x20"},
		{255, "\xd9\xff", "\xc4\xff", "\xdc\x00\xff", "\xde\x00\xff"},
		{256, "\xda\x01\x00", "\xc5\x01\x00", "\xdc\x01\x00", "\xde\x01\x00"},
		{65535, "\xda\xff\xff", "\xc5\xff\xff", "\xdc\xff\xff", "\xde\xff\xff"},
		{65536, "\xdb\x00\x01\x00\x00", "\xc6\x00\x01\x00\x00", "\xdd\x00\x01\x00\x00", "\xdf\x00\x01\x00\x00"},
	} {
		for _, h := range []struct {
			name, want string
			got        []byte
			class      Class
		}{
			{"str", c.str, AppendStringHeader(nil, c.n), ClassStr},
			{"bin", c.bin, AppendBytesHeader(nil, c.n), ClassBin},
			{"array", c.array, AppendArrayHeader(nil, c.n), ClassArray},
			{"map", c.maps, AppendMapHeader(nil, c.n), ClassMap},
		} {
			t.Run(h.name, func(t *testing.T) {
				if string(h.got) != h.want {
					t.Errorf("%s of %d: %x, want %x", h.name, c.n, h.got, h.want)
				}
				if class, next, n := Head(h.got, 0); class != h.class || next != len(h.want) || n != c.n {
					t.Errorf("Head(%x) = %v, %d, %d", h.got, class, next, n)
				}
				for k := 1; k < len(h.want); k++ {
					if _, next, _ := Head(h.got[:k], 0); next != Short {
						t.Errorf("Head(%x) goes on at %d, want Short", h.got[:k], next)
					}
				}
			})
		}
		if got := AppendString(nil, strings.Repeat("x", c.n)); string(got) != filled(c.str, c.n) {
			t.Errorf("AppendString of %d begins with %x", c.n, got[:5])
		}
		for _, in := range []string{filled(c.str, c.n), filled(c.bin, c.n)} {
			start, end := ReadString([]byte(in), 0)
			if end != len(in) || end-start != c.n {
				t.Errorf("ReadString of %d = %d, %d", c.n, start, end)
			}
			if _, end := ReadString([]byte(in[:len(in)-1]), 0); end != Short {
				t.Errorf("ReadString of %d without the last byte ends at %d", c.n, end)
			}
		}
		if n, next := ReadArray([]byte(filled(c.array, c.n)), 0); n != c.n || next != len(c.array) {
			t.Errorf("ReadArray of %d = %d, %d", c.n, n, next)
		}
		if n, next := ReadMap([]byte(filled(c.maps, 2*c.n)), 0); n != c.n || next != len(c.maps) {
			t.Errorf("ReadMap of %d = %d, %d", c.n, n, next)
		}
		if c.n > 0 {
			if _, next := ReadArray([]byte(filled(c.array, c.n-1)), 0); next != Short {
				t.Errorf("ReadArray of %d believes its length", c.n)
			}
			if _, next := ReadMap([]byte(filled(c.maps, 2*c.n-1)), 0); next != Short {
				t.Errorf("ReadMap of %d believes its length", c.n)
			}
		}
	}
}

func TestExt(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, "\xc7\x00\x07"}, {1, "\xd4\x07"}, {2, "\xd5\x07"}, {3, "\xc7\x03\x07"}, {4, "\xd6\x07"}, {8, "\xd7\x07"},
		{16, "\xd8\x07"}, {17, "\xc7\x11\x07"}, {255, "\xc7\xff\x07"}, {256, "\xc8\x01\x00\x07"},
		{65535, "\xc8\xff\xff\x07"}, {65536, "\xc9\x00\x01\x00\x00\x07"},
	} {
		t.Run(c.want, func(t *testing.T) {
			want := filled(c.want, c.n)
			if got := AppendExt(nil, 7, bytes.Repeat([]byte("x"), c.n)); string(got) != want {
				t.Errorf("AppendExt of %d begins with %x", c.n, got[:6])
			}
			if typ, start, end := ReadExt([]byte(want), 0); typ != 7 || end != len(want) || end-start != c.n {
				t.Errorf("ReadExt of %d = %d, %d, %d", c.n, typ, start, end)
			}
			for _, k := range []int{0, 1, len(c.want) - 1, len(want) - 1} {
				if _, _, end := ReadExt([]byte(want[:k]), 0); end != Short {
					t.Errorf("ReadExt of the first %d bytes of %d ends at %d", k, c.n, end)
				}
			}
		})
	}
}

func TestTime(t *testing.T) {
	for _, c := range []struct {
		sec, nsec int64
		want      string
	}{
		{0, 0, "\xd6\xff\x00\x00\x00\x00"},
		{math.MaxUint32, 0, "\xd6\xff\xff\xff\xff\xff"},
		{math.MaxUint32 + 1, 0, "\xd7\xff\x00\x00\x00\x01\x00\x00\x00\x00"},
		{0, 1, "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x00"},
		{1<<34 - 1, 999999999, "\xd7\xff\xee\x6b\x27\xff\xff\xff\xff\xff"},
		{1 << 34, 0, "\xc7\x0c\xff\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00"},
		{-1, 999999999, "\xc7\x0c\xff\x3b\x9a\xc9\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		{-62135596800, 0, "\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xf1\x88\x6e\x09\x00"},
	} {
		t.Run(c.want, func(t *testing.T) {
			v := time.Unix(c.sec, c.nsec)
			if got := AppendTime(nil, v); string(got) != c.want {
				t.Errorf("AppendTime(%v) = %x, want %x", v, got, c.want)
			}
			if got, end := ReadTime([]byte(c.want), 0); !got.Equal(v) || end != len(c.want) || got.Location() != time.UTC {
				t.Errorf("ReadTime(%x) = %v, %d", c.want, got, end)
			}
		})
	}
	for _, bad := range []string{
		"\xd7\xff\xee\x6b\x28\x00\x00\x00\x00\x00",                     // 1,000,000,000 ns
		"\xc7\x0c\xff\x3b\x9a\xca\x00\x00\x00\x00\x00\x00\x00\x00\x00", // the same in 96 bits
		"\xd5\xff\x00\x00", "\xc7\x00\xff",
	} {
		if _, end := ReadTime([]byte(bad), 0); end != Range {
			t.Errorf("ReadTime(%x) ends at %d, want Range", bad, end)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1),
		math.Inf(-1), math.NaN(),
	} {
		b := AppendFloat64(nil, v)
		got, end := ReadFloat64(b, 0)
		if math.Float64bits(got) != math.Float64bits(v) || end != 9 || b[0] != Float64 {
			t.Errorf("%v: %x reads as %v", v, b, got)
		}
		f := float32(v)
		b = AppendFloat32(nil, f)
		g, end := ReadFloat32(b, 0)
		if math.Float32bits(g) != math.Float32bits(f) || end != 5 || b[0] != Float32 {
			t.Errorf("%v: %x reads as %v", f, b, g)
		}
	}
	if _, end := ReadFloat32(AppendFloat64(nil, 1e300), 0); end != Range {
		t.Errorf("1e300 as float32 ends at %d, want Range", end)
	}
	if v, end := ReadFloat32(AppendFloat64(nil, 0.5), 0); v != 0.5 || end != 9 {
		t.Errorf("0.5 as float32 = %v, %d", v, end)
	}
}

// TestEveryByte gives each first byte, with enough bytes behind it, to the
// functions that read: exactly c1 begins nothing.
func TestEveryByte(t *testing.T) {
	for c := range 256 {
		b := append([]byte{byte(c)}, make([]byte, 64)...)
		class, next, _ := Head(b, 0)
		if (class == ClassInvalid) != (c == NeverUsed) || (next < 0) != (c == NeverUsed) {
			t.Errorf("Head(%02x) = %v, %d", c, class, next)
		}
		if end, _ := Skip(b, 0, 10); (end < 0) != (c == NeverUsed) {
			t.Errorf("Skip(%02x) = %d", c, end)
		}
	}
}

func TestClose(t *testing.T) {
	sizes := []int{0, 1, 15, 16, 17, 65535, 65536}
	for _, reserved := range sizes {
		for _, n := range sizes {
			body := strings.Repeat("y", 10)
			b := append(AppendMapHeader([]byte("head"), reserved), body...)
			got := string(CloseMap(b, 4, MapHeaderSize(reserved), n))
			if want := string(AppendMapHeader([]byte("head"), n)) + body; got != want {
				t.Errorf("map of %d where %d were due: %x, want %x", n, reserved, got, want)
			}
			b = append(AppendArrayHeader([]byte("head"), reserved), body...)
			got = string(CloseArray(b, 4, MapHeaderSize(reserved), n))
			if want := string(AppendArrayHeader([]byte("head"), n)) + body; got != want {
				t.Errorf("array of %d where %d were due: %x, want %x", n, reserved, got, want)
			}
		}
	}
}

// TestCloseInPlace closes a container behind a long text: that is not copied, even where the header is longer than its place.
func TestCloseInPlace(t *testing.T) {
	b := make([]byte, 1<<20, 1<<20+16)
	for _, closed := range []func([]byte, int, int, int) []byte{CloseMap, CloseArray} {
		for _, n := range []int{3, 300, 70000} {
			if allocs := testing.AllocsPerRun(1, func() { closed(b, 1<<20-10, 1, n) }); allocs > 0 {
				t.Errorf("%d elements: %v allocations", n, allocs)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 1, 2, 7, 40, 300, 3000} {
		var names []string
		known := map[string]int{}
		for len(names) < count {
			s := randomName(rnd)
			if _, ok := known[s]; !ok {
				known[s] = len(names)
				names = append(names, s)
			}
		}
		k := NewKeys(names)
		if len(k.slots) > 8*count {
			t.Errorf("%d slots for %d names", len(k.slots), count)
		}
		for i, s := range names {
			if got := k.Index(s); got != i {
				t.Fatalf("Index(%q) = %d, want %d", s, got, i)
			}
			enc := AppendString(nil, s)
			for pad := range 10 {
				in := append(append([]byte(nil), enc...), make([]byte, pad)...)
				in = in[:len(in):len(in)]
				if end, ok := k.At(i).Match(in, 0); !ok || end != len(enc) {
					t.Fatalf("%q does not match itself with %d bytes behind", s, pad)
				}
				if j := (i + 1) % count; j != i {
					if end, ok := k.At(j).Match(in, 0); ok && (end > len(in) || string(in[:end]) != k.At(j).Enc) {
						t.Fatalf("%q matches %x", names[j], in)
					}
				}
			}
		}
		for range 2000 {
			s := randomName(rnd)
			want, ok := known[s]
			if !ok {
				want = -1
			}
			if got := k.Find([]byte(s)); got != want {
				t.Fatalf("Find(%q) = %d, want %d", s, got, want)
			}
		}
	}
}

// randomName returns a name that often differs little from others.
func randomName(rnd *rand.Rand) string {
	n := rnd.IntN(12)
	if rnd.IntN(3) == 0 {
		n = rnd.IntN(70)
	}
	b := bytes.Repeat([]byte("a"), n)
	for range 3 {
		if n > 0 {
			b[rnd.IntN(n)] = byte('a' + rnd.IntN(26))
		}
	}
	return string(b)
}

func TestKeysAlike(t *testing.T) {
	a, b := "aaaaaaaa-one-bbbbbbbb", "aaaaaaaa-two-bbbbbbbb"
	k := NewKeys([]string{a, b, a, ""})
	for i, s := range []string{a, b} {
		if got := k.Index(s); got != i {
			t.Errorf("Index(%q) = %d", s, got)
		}
	}
	if k.Index("aaaaaaaa-xxx-bbbbbbbb") != -1 || k.Index("") != 3 {
		t.Error("middle of long names is not looked at")
	}
}

// TestScanner feeds random documents byte by byte, and at once: the end is
// where Skip finds it.
func TestScanner(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		b := randomDoc(rnd, nil, 2)
		if len(b) > 500 {
			continue
		}
		want, at := Skip(b, 0, 100)
		if want != len(b) {
			t.Fatalf("Skip(%x) = %d, %d", b, want, at)
		}
		if end := Pass(b, 0, 1); end != want {
			t.Fatalf("Pass(%x) = %d, want %d", b, end, want)
		}
		var s Scanner
		for n := range b {
			if end, _ := s.Scan(b[:n], 100); end != Short {
				t.Fatalf("Scan(%x) = %d", b[:n], end)
			}
			if end, _ := Skip(b[:n], 0, 100); end != Short {
				t.Fatalf("Skip(%x) = %d", b[:n], end)
			}
			if end := Pass(b[:n], 0, 1); end >= 0 {
				t.Fatalf("Pass(%x) = %d", b[:n], end)
			}
		}
		if end, _ := s.Scan(append(b, 1, 2, 3), 100); end != len(b) {
			t.Fatalf("Scan(%x) = %d, want %d", b, end, len(b))
		}
		if end, _ := s.Scan(append(b, 1, 2, 3), 100); end != len(b) {
			t.Fatalf("second Scan(%x) = %d, want %d", b, end, len(b))
		}
	}
	deep := bytes.Repeat([]byte{0x91}, 1000)
	if end, at := Skip(deep, 0, 100); end != Deep || at != 100 {
		t.Errorf("Skip of a deep document = %d, %d", end, at)
	}
	if end, at := new(Scanner).Scan(deep, 100); end != Deep || at != 100 {
		t.Errorf("Scan of a deep document = %d, %d", end, at)
	}
}

func randomDoc(rnd *rand.Rand, b []byte, depth int) []byte {
	switch k := rnd.IntN(10); {
	case k == 0 && depth > 0:
		n := rnd.IntN(18)
		b = AppendArrayHeader(b, n)
		for range n {
			b = randomDoc(rnd, b, depth-1)
		}
		return b
	case k <= 2 && depth > 0:
		n := rnd.IntN(18)
		b = AppendMapHeader(b, n)
		for range 2 * n {
			b = randomDoc(rnd, b, depth-1)
		}
		return b
	case k == 3:
		return AppendString(b, strings.Repeat("s", rnd.IntN(300)))
	case k == 4:
		return AppendExt(b, int8(rnd.Int()), make([]byte, rnd.IntN(20)))
	case k == 5:
		return AppendBytes(b, make([]byte, rnd.IntN(20)))
	case k == 6:
		return AppendFloat64(b, rnd.NormFloat64())
	case k == 7:
		return AppendNil(b)
	}
	return AppendInt(b, int64(rnd.Uint64())>>rnd.IntN(64))
}

func ExampleAppendMapHeader() {
	b := AppendMapHeader(nil, 1)
	b = AppendString(b, "x")
	b = AppendInt(b, -5)
	fmt.Printf("%x\n", b)
	// Output: 81a178fb
}
