package cborwire

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/sample"
)

const depth = 1000

// vector is a line of a table of cbor/testdata.
type vector struct {
	at     string // file and line
	marked bool
	b      []byte
}

func vectors(t testing.TB, name string) (list []vector) {
	f, err := os.Open("../../../cbor/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		text, _, _ := strings.Cut(in.Text(), " ")
		if text == "#" {
			continue
		}
		v := vector{at: fmt.Sprintf("%s:%d", name, n), marked: strings.ContainsAny(text[:1], "*<")}
		if v.b, err = hex.DecodeString(strings.TrimLeft(text, "*<")); err != nil {
			t.Fatal(v.at, err)
		}
		list = append(list, v)
	}
	if len(list) < 50 {
		t.Fatalf("%s has %d rows", name, len(list))
	}
	return list
}

// TestSkipAppendixA: each vector is one item, no prefix of it is, and byte by byte it is the same.
func TestSkipAppendixA(t *testing.T) {
	for _, v := range vectors(t, "appendix_a.txt") {
		if end, _ := Skip(v.b, 0, depth); end != len(v.b) {
			t.Errorf("%s: %x ends at %d", v.at, v.b, end)
		}
		end, at := Check(v.b, 0, depth, Shortest|Definite|Sorted|Unique|UTF8)
		if !v.marked && end != len(v.b) || v.marked && end != NotShortest && end != NotDefinite {
			t.Errorf("%s: %x is checked to %d at %d", v.at, v.b, end, at)
		}
		var s Scanner
		for n := range v.b {
			if end, _ := Skip(v.b[:n], 0, depth); end != Short {
				t.Errorf("%s: %x cut off at %d: %d", v.at, v.b, n, end)
			}
			if end, _ := Check(v.b[:n], 0, depth, UTF8); end != Short {
				t.Errorf("%s: %x cut off at %d is checked to %d", v.at, v.b, n, end)
			}
			if end, _ := s.Scan(v.b[:n], depth); end != Short {
				t.Errorf("%s: %x scanned up to %d: %d", v.at, v.b, n, end)
			}
		}
		if end, _ := s.Scan(append(v.b, 0xff), depth); end != len(v.b) {
			t.Errorf("%s: %x scanned to %d", v.at, v.b, end)
		}
	}
}

func TestSkipAppendixF(t *testing.T) {
	for _, v := range vectors(t, "appendix_f.txt") {
		want := Malformed
		if v.marked {
			want = Short
		}
		if end, _ := Skip(v.b, 0, depth); end != want {
			t.Errorf("%s: %x: end %d, want %d", v.at, v.b, end, want)
		}
		if end, _ := Check(v.b, 0, depth, UTF8); end != want {
			t.Errorf("%s: %x: checked to %d, want %d", v.at, v.b, end, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    string
		rules Rules
		end   int
		at    int
	}{
		{"long head", "821801f6", Shortest, NotShortest, 1},
		{"long length", "580100", Shortest, NotShortest, 0},
		{"long tag", "d80100", Shortest, NotShortest, 0},
		{"long chunk", "5f580100ff", Shortest, NotShortest, 1},
		{"double that is a single", "fb3ff8000000000000", Shortest, NotShortest, 0},
		{"single that is a half", "fa3fc00000", Shortest, NotShortest, 0},
		{"single that is not valid", "fa47c35000", Shortest, 5, 5},
		{"NaN with a payload of a double", "fb7ff8000000000001", Shortest, 9, 9},
		{"bignum of an integer", "81c2480102030405060708", Shortest, NotShortest, 1},
		{"bignum with a zero", "c34900010203040506070809", Shortest, NotShortest, 0},
		{"bignum of an integer in chunks", "c25f4101420203ff", Shortest, NotShortest, 0},
		{"bignum", "c249010203040506070809", Shortest, 11, 11},
		{"tag 2 of text", "c26161", Shortest, 3, 3},
		{"indefinite", "8201bfff", Definite, NotDefinite, 2},
		{"in order", "a2010261610a", Sorted, 6, 6},
		{"out of order", "a2616101020a", Sorted, NotSorted, 4},
		{"longer before shorter", "a220016101", Sorted, Short, 5},
		{"bytewise", "a21864016020", Sorted, 6, 6},
		{"not length first", "a21864012001", Sorted | LengthFirst, NotSorted, 4},
		{"length first", "a22001186401", Sorted | LengthFirst, 6, 6},
		{"twice in order", "a201020103", Sorted, Twice, 3},
		{"twice", "a3010202030104", Unique, Twice, 5},
		{"twice in two forms", "a20102180103", Unique, Twice, 3},
		{"twice as chunks", "a26161017f6161ff02", Unique, Twice, 4},
		{"twice as floats", "a2f93c0001fa3f80000002", Unique, Twice, 5},
		{"not twice", "a2010261310a", Unique, 6, 6},
		{"map as a key", "a3a0018001a002", Unique, Twice, 5},
		{"arrays as keys", "a40001810102810203810104", Unique, Twice, 9},
		{"arrays of one length as keys", "a40001810102810203810304", Unique, 12, 12},
		{"arrays and no arrays as keys", "a5810100000181020302048101ff", Unique, Twice, 11},
		{"keys behind an array", "a381010001000200", Unique, 8, 8},
		{"a key twice around arrays", "a4010081010081020001ff", Unique, Twice, 9},
		{"within a map", "a101a2616100616101", Unique, Twice, 6},
		{"tag", "8100c100", Untagged, 2, 2},
		{"tagged", "81c100", Untagged, Tagged, 1},
		{"undefined", "81f7", FewSimple, BadSimple, 1},
		{"simple", "f8ff", FewSimple, BadSimple, 0},
		{"null", "f6", FewSimple, 1, 1},
		{"infinite", "f97c00", Finite, NotFinite, 0},
		{"text", "81616100", UTF8, 3, 3},
		{"no text", "8161ff", UTF8, NotUTF8, 1},
		{"no text in chunks", "7f61c361bcff", UTF8, NotUTF8, 1},
		{"whole", "f93c00", Reduced, NotReduced, 0},
		{"beyond integers", "fa7f7fffff", Reduced, 5, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := hex.DecodeString(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if end, at := Check(b, 0, depth, tt.rules); end != tt.end || at != tt.at {
				t.Errorf("%d at %d, want %d at %d", end, at, tt.end, tt.at)
			}
		})
	}
}

// TestHostile: nothing is taken for what is not there.
func TestHostile(t *testing.T) {
	million := 1 << 20
	repeat := func(head string, s string) []byte { return []byte(head + strings.Repeat(s, million)) }
	for _, tt := range []struct {
		name string
		b    []byte
		end  int
	}{
		{"bytes of 4 Gi", []byte("\x5a\xff\xff\xff\xff"), Short},
		{"text of 4 Gi", []byte("\x7a\xff\xff\xff\xff"), Short},
		{"array of 4 Gi", []byte("\x9a\xff\xff\xff\xff"), Short},
		{"map of 4 Gi", []byte("\xba\xff\xff\xff\xff"), Short},
		{"array of all", []byte("\x9b\xff\xff\xff\xff\xff\xff\xff\xff"), Short},
		{"bignum of 1 Gi", []byte("\xc2\x5a\x40\x00\x00\x00"), Short},
		{"arrays", repeat("", "\x81"), Deep},
		{"open arrays", repeat("", "\x9f"), Deep},
		{"open maps", repeat("", "\xbf\x01"), Deep},
		{"tags", repeat("", "\xc1"), Deep},
		{"empty chunks", repeat("\x5f", "\x40"), Short},
		{"chunks in chunks", repeat("", "\x5f"), Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, f := range []struct {
				name string
				do   func() int
			}{
				{"skip", func() int { end, _ := Skip(tt.b, 0, 10000); return end }},
				{"check", func() int { end, _ := Check(tt.b, 0, 10000, Shortest|Unique); return end }},
				{"scan", func() int { end, _ := new(Scanner).Scan(tt.b, 10000); return end }},
			} {
				t.Run(f.name, func(t *testing.T) {
					if end := f.do(); end != tt.end {
						t.Errorf("%s: %d, want %d", f.name, end, tt.end)
					}
					least := uint64(math.MaxUint64)
					for try := 0; try < 3 && least > 64<<10; try++ { // the process allocates beside the call now and then
						var before, after runtime.MemStats
						runtime.ReadMemStats(&before)
						f.do()
						runtime.ReadMemStats(&after)
						least = min(least, after.TotalAlloc-before.TotalAlloc)
					}
					if least > 64<<10 {
						t.Errorf("%s allocates %d bytes", f.name, least)
					}
				})
			}
		})
	}
}

// TestHalf: every number of half precision, and the nearest that are not valid.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		v := FromHalf(uint16(h))
		b := AppendFloat(nil, v)
		if v == v && !bytes.Equal(b, AppendHalf(nil, uint16(h))) {
			t.Fatalf("%04x is %g, written as %x", h, v, b)
		}
		if got, end := ReadFloat(b, 0); end != 3 || math.Float64bits(got) != math.Float64bits(v) && v == v {
			t.Fatalf("%04x is read as %g", h, got)
		}
		if next := math.Nextafter32(float32(v), 1); v == v && next != float32(v) {
			if b := AppendFloat(nil, float64(next)); b[0] == Half && FromHalf(uint16(b[1])<<8|uint16(b[2])) != float64(next) {
				t.Fatalf("%g is written as %x", next, b)
			}
		}
	}
	for _, v := range []float64{math.Ldexp(1, -24), math.Ldexp(1, -25), 65504, 65505, 65520, 1e300, math.MaxFloat32, 5e-324, math.Pi} {
		b := AppendFloat(nil, v)
		if got, end := ReadFloat(b, 0); end != len(b) || got != v || !Preferred(b[0], must(Head(b, 0))) {
			t.Errorf("%g is written as %x and read as %g", v, b, got)
		}
	}
}

func must(n uint64, _ int) uint64 { return n }

func TestNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, 23, 24, 255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, math.MaxInt64} {
		for _, x := range []int64{v, ^v} {
			b := AppendInt(nil, x)
			if got, end := ReadInt(b, 0); got != x || end != len(b) || len(b) != HeadSize(uint64(v)) || !Preferred(b[0], uint64(v)) {
				t.Errorf("%d is written as %x and read as %d", x, b, got)
			}
			if f, end := ReadFloat(b, 0); f != float64(x) || end != len(b) {
				t.Errorf("%d is read as %g", x, f)
			}
		}
		b := AppendUint(nil, uint64(v))
		if got, end := ReadUint(b, 0); got != uint64(v) || end != len(b) {
			t.Errorf("%d is read as %d", v, got)
		}
	}
	if _, end := ReadInt(AppendUint(nil, math.MaxUint64), 0); end != Range {
		t.Error(end)
	}
	if _, end := ReadUint(AppendInt(nil, -1), 0); end != Range {
		t.Error(end)
	}
}

func TestCloseHead(t *testing.T) {
	for _, size := range []int{1, 2, 3, 5} {
		for _, n := range []uint64{0, 23, 24, 255, 256, 65536} {
			b := append(append([]byte("x"), make([]byte, size)...), "rest"...)
			want := append(AppendHead([]byte("x"), Map, n), "rest"...)
			if got := CloseHead(b, 1, size, Map, n); !bytes.Equal(got, want) {
				t.Errorf("%d in %d: %x, want %x", n, size, got, want)
			}
		}
	}
}

func TestKey(t *testing.T) {
	for _, name := range []string{"", "a", "fourteen bytes", "fifteen bytes..", "sixteen bytes...", "more than sixteen bytes of a name"} {
		enc := string(AppendText(nil, name))
		k := NewKey(enc)
		for _, behind := range []string{"", "\x01", strings.Repeat("\x01", 20)} {
			if !k.Match([]byte("xx"+enc+behind), 2) {
				t.Errorf("%q is not found before %q", name, behind)
			}
			if k.Match([]byte("xx"+enc[:len(enc)-1]+"\x00"+behind), 2) || k.Match([]byte("xx"+enc[:len(enc)-1]), 2) {
				t.Errorf("%q is found in another before %q", name, behind)
			}
		}
	}
}

// FuzzSkip: the three ways to find the end of an item agree, and what is written again in its preferred
// form is checked to be so.
func FuzzSkip(f *testing.F) {
	for _, v := range append(vectors(f, "appendix_a.txt"), vectors(f, "appendix_f.txt")...) {
		f.Add(v.b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		end, _ := Skip(b, 0, depth)
		if checked, at := Check(b, 0, depth, LengthFirst); checked != end {
			t.Fatalf("%x: skipped to %d, checked to %d at %d", b, end, checked, at)
		}
		var s Scanner
		scanned := Short
		for n := 0; n <= len(b) && scanned == Short; n++ {
			scanned, _ = s.Scan(b[:n], depth)
		}
		if scanned != end {
			t.Fatalf("%x: skipped to %d, scanned to %d", b, end, scanned)
		}
		if strict, _ := Check(b, 0, depth, Shortest|Definite|Sorted); strict >= 0 && strict != end {
			t.Fatalf("%x: skipped to %d, checked to %d", b, end, strict)
		}
		if end < 0 {
			return
		}
		if key := AppendKey(nil, b, 0, end); b[0] < Array || b[0] >= Half {
			if checked, _ := Check(key, 0, depth, Shortest|Definite); checked != len(key) {
				t.Fatalf("%x: key %x", b, key)
			}
		}
	})
}

// TestNestedKeys: keys that hold keys are not copied at every level.
func TestNestedKeys(t *testing.T) {
	b := append([]byte{Bytes | 26, 0, 1, 0, 0}, make([]byte, 1<<16)...)
	for range 1000 {
		b = append(append([]byte{Map | 2, 0, 0}, b...), 0)
	}
	if n := sample.Allocated(func() {
		if end, at := Check(b, 0, 1000, Unique); end != len(b) {
			t.Errorf("%d at %d", end, at)
		}
	}); n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}
