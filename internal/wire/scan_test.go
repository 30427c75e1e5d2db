package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// scanReference is Scan written byte by byte.
func scanReference(b []byte) (s, nw []uint64, valid bool) {
	words := ScanWords(len(b))
	s, nw = make([]uint64, words), make([]uint64, words)
	for i := range words * 64 {
		bit := uint64(1) << (i & 63)
		if i >= len(b) || b[i] == '"' || b[i] == '\\' || b[i] < 0x20 {
			s[i>>6] |= bit
		}
		if i >= len(b) || b[i] != ' ' && b[i] != '\t' && b[i] != '\n' && b[i] != '\r' {
			nw[i>>6] |= bit
		}
	}
	return s, nw, utf8.Valid(b)
}

// scanner runs Scan with every slice at its least length inside guarded memory and junk after the text.
type scanner struct {
	src   []byte
	s, nw []uint64
}

func (c *scanner) check(b []byte, junk byte) error {
	const guard = 0x5a5a5a5a5a5a5a5a
	words := ScanWords(len(b))
	c.src = append(append(c.src[:0], b...), bytes.Repeat([]byte{junk}, ScanPad(len(b))-len(b))...)
	c.s, c.nw = append(c.s[:0], make([]uint64, words+1)...), append(c.nw[:0], make([]uint64, words+1)...)
	c.s[words], c.nw[words] = guard, guard
	valid := Scan(c.src[:len(c.src):len(c.src)], len(b), c.s[:words:words], c.nw[:words:words])
	if err := c.compare(b, valid); err != nil {
		return err
	}
	pad := ScanPad(len(b))
	dst := bytes.Repeat([]byte{junk}, pad+1)
	clear(c.s[:words])
	clear(c.nw[:words])
	valid = CopyScan(dst, b[:len(b):len(b)], c.s[:words:words], c.nw[:words:words])
	if !bytes.Equal(dst[:len(b)], b) || dst[pad] != junk {
		return fmt.Errorf("CopyScan of %d bytes does not copy them", len(b))
	}
	for i, x := range dst[len(b):pad] {
		if x != 0 {
			return fmt.Errorf("CopyScan of %d bytes: byte %d after them is %#x", len(b), i, x)
		}
	}
	if err := c.compare(b, valid); err != nil {
		return fmt.Errorf("CopyScan: %w", err)
	}
	return nil
}

// compare holds the bitmaps of b and its validity against the reference.
func (c *scanner) compare(b []byte, valid bool) error {
	const guard = 0x5a5a5a5a5a5a5a5a
	words := ScanWords(len(b))
	ws, wnw, wvalid := scanReference(b)
	if valid != wvalid {
		return fmt.Errorf("valid = %v, want %v, for %d bytes %.80q", valid, wvalid, len(b), b)
	}
	if c.s[words] != guard || c.nw[words] != guard {
		return fmt.Errorf("wrote past ScanWords(%d)", len(b))
	}
	for i := range words {
		if c.s[i] != ws[i] || c.nw[i] != wnw[i] {
			return fmt.Errorf("word %d of %d bytes: s %#x, want %#x; nw %#x, want %#x", i, len(b), c.s[i], ws[i], c.nw[i], wnw[i])
		}
	}
	return nil
}

// utf8Cases are characters and broken characters, the bounds of every kind (RFC 3629 §4).
var utf8Cases = []string{
	"\u0080", "\u07ff", "\u0800", "\u0fff", "\u1000", "\ucfff", "\ud000", "\ud7ff", "\ue000", "\uffff",
	"\U00010000", "\U0003ffff", "\U00040000", "\U000fffff", "\U00100000", "\U0010ffff", "\u2028", "\u2029", "\ufffd", "é", "日本", "😀",
	"\x80", "\xbf", "\x80\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xdf", "\xc2\x7f", "\xc2\xc0", "\xc2\x80\x80",
	"\xe0\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0", "\xe1", "\xe1\x80", "\xe1\x80\xc0", "\xe1\x80\x80\x80", "\xed\xa0\x80", "\xed\xbf\xbf",
	"\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80\x80", "\xf0\x90\x80", "\xf0\x90", "\xf0",
	"\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf4\xbf\xbf\xbf", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xfe",
	"\xf1\x80\x80\x80\x80", "\xf1\x80\x80\xe1\x80\x80", "\xf1\x80\xc2\x80", "\xe1\x80\xf1\x80\x80\x80",
}

func TestScanLengths(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		var c scanner
		rnd := rand.New(rand.NewPCG(1, 2))
		kinds := []string{
			"\"\\ \t\n\r{}[]:,0a\x00\x1f\x20\x21\x7f\x0c\x0b\x08\x0d\x0e\x2d\x2a\x29\x32\x5d\x6c\x4c",
			"\"ab\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80",
			"\x80\x9f\xa0\xa2\xdc\x90\x8d\x8a\x89",
		}
		for n := range 301 {
			for _, kind := range kinds {
				b := make([]byte, n)
				for i := range b {
					b[i] = kind[rnd.IntN(len(kind))]
				}
				for _, junk := range []byte{0, 0xff, 0x80, '"', ' '} {
					if err := c.check(b, junk); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func TestScanBytes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		var c scanner
		for x := range 256 {
			for at := range 64 {
				b := bytes.Repeat([]byte{'a'}, 64)
				b[at] = byte(x)
				if err := c.check(b, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestScanUTF8(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		var c scanner
		for _, bad := range utf8Cases {
			for before := range 140 {
				for _, after := range []int{0, 1, 2, 3, 63, 64, 65} {
					b := []byte(strings.Repeat("a", before) + bad + strings.Repeat("b", after))
					if err := c.check(b, 0x80); err != nil {
						t.Fatal(err)
					}
				}
				b := []byte(strings.Repeat("é", before) + bad + "ééé")
				if err := c.check(b, 0xbf); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestScanRandom(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		var c scanner
		rnd := rand.New(rand.NewPCG(3, 4))
		valid := 0
		for range 60_000 {
			b := randomText(rnd, rnd.IntN(200))
			if utf8.Valid(b) {
				valid++
			}
			if err := c.check(b, byte(rnd.Uint32())); err != nil {
				t.Fatal(err)
			}
		}
		if valid < 6_000 || valid > 54_000 {
			t.Errorf("%d of 60000 texts are valid: the test is lopsided", valid)
		}
	})
}

// randomText makes about n bytes of the characters of utf8Cases and ASCII, mostly valid.
func randomText(rnd *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+16)
	broken := rnd.IntN(2) == 0
	for len(b) < n {
		switch k := rnd.IntN(64); {
		case k == 0 && broken:
			b = append(b, utf8Cases[rnd.IntN(len(utf8Cases))]...)
		case k < 20:
			b = utf8.AppendRune(b, rune(rnd.IntN(1<<(7+rnd.IntN(14)))))
		case k < 30:
			b = append(b, "\"\\\n \t/<>&"[rnd.IntN(9)])
		default:
			b = append(b, byte('a'+rnd.IntN(26)))
		}
	}
	if broken && len(b) > 0 && rnd.IntN(4) == 0 {
		b[rnd.IntN(len(b))] = byte(rnd.Uint32())
	}
	return b
}

func TestScanChunks(t *testing.T) {
	const chunk = scanChunk * 64
	eachLevel(t, func(t *testing.T) {
		var c scanner
		text := bytes.Repeat([]byte("a\"b\\ \n"), 2*chunk/6+40)
		for _, n := range []int{chunk - 64, chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 17} {
			if err := c.check(text[:n], 0x80); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range []string{"é", "日", "😀", "\xe1\x80", "\xf1\x80\x80", "\xf0\x8f\xbf\xbf", "\x80", "\xc2"} {
			for at := chunk - 5; at <= chunk+1; at += sparse(3) {
				b := append(append(bytes.Clone(text[:at]), s...), text[:100]...)
				if err := c.check(b, 0x80); err != nil {
					t.Fatal(at-chunk, err)
				}
				if err := c.check(b[:chunk], 0x80); err != nil {
					t.Fatal(at-chunk, err)
				}
			}
		}
	})
}

func TestScanAllocs(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		b := make([]byte, 256)
		if n := testing.AllocsPerRun(10, func() {
			var s, nw [4]uint64
			if !Scan(b, 100, s[:], nw[:]) {
				t.Error("invalid")
			}
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzScan(f *testing.F) {
	for _, s := range utf8Cases {
		f.Add([]byte("{\"a\": \"" + s + "\"}"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		eachLevel(t, func(t *testing.T) {
			var c scanner
			if err := c.check(b, 0x80); err != nil {
				t.Fatal(err)
			}
		})
	})
}

func BenchmarkScan(b *testing.B) {
	unit := `{"id": 1234567890, "name": "some text", "on": true, "é": "日本語"},` + "\n    "
	for _, text := range []struct{ name, s string }{
		{"ascii", strings.Repeat(strings.Map(func(r rune) rune {
			if r > 127 {
				return 'x'
			}
			return r
		}, unit), 8000)},
		{"utf8", strings.Repeat(unit, 8000)},
		{"small", unit + unit},
	} {
		n := len(text.s)
		src := append([]byte(text.s), make([]byte, 64)...)
		s, nw := make([]uint64, ScanWords(n)), make([]uint64, ScanWords(n))
		for _, name := range Levels() {
			b.Run(text.name+"/"+name, func(b *testing.B) {
				defer SetLevel(name)()
				b.SetBytes(int64(n))
				for b.Loop() {
					Scan(src, n, s, nw)
				}
			})
		}
	}
}
