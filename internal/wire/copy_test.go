package wire

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainReference is the number of bytes CopyPlain copies, found rune by rune.
func plainReference(s string, how Escapes) int {
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r < 0x20, r == '"', r == '\\', how&EscapeHTML != 0 && (r == '<' || r == '>' || r == '&'),
			how&TrustUTF8 == 0 && (r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1):
			return i
		}
	}
	return len(s)
}

func checkCopy(t *testing.T, s string) {
	t.Helper()
	for _, how := range allEscapes {
		dst := make([]byte, len(s)+8)
		for i := range dst {
			dst[i] = 0xa5
		}
		n := CopyPlain(dst[:len(s):len(s)], s, how)
		if want := plainReference(s, how); n != want {
			t.Fatalf("CopyPlain(%q, how %v) = %d, want %d", s, how, n, want)
		}
		if string(dst[:n]) != s[:n] {
			t.Fatalf("CopyPlain(%q, how %v) copied %q", s, how, dst[:n])
		}
		for _, c := range dst[len(s):] {
			if c != 0xa5 {
				t.Fatalf("CopyPlain(%q, how %v) wrote past the end", s, how)
			}
		}
	}
}

func TestCopyPlainBytes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for c := range 256 {
			for _, n := range []int{0, 1, 7, 8, 9, 20, 31, 32, 33, 63, 64, 65, 100} {
				checkCopy(t, strings.Repeat("a", n)+string([]byte{byte(c)})+strings.Repeat("b", 70-n%70))
				checkCopy(t, strings.Repeat("é", n/2)+string([]byte{byte(c)}))
			}
		}
	})
}

func TestCopyPlainUTF8(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, c := range utf8Cases {
			for n := range 140 {
				for _, after := range []string{"", "b", "é", "<\xff", "\xff<", "\"\u2028", "\u2028\"", strings.Repeat("z", 70)} {
					checkCopy(t, strings.Repeat("a", n)+c+after)
				}
				checkCopy(t, strings.Repeat("ü", n)+c)
				checkCopy(t, "x"+strings.Repeat("世", n)+c)
			}
		}
	})
}

// TestCopyPlainBroken changes, takes out and puts in a byte at each place of texts that are valid.
func TestCopyPlainBroken(t *testing.T) {
	texts := []string{
		strings.Repeat("ёжик", 20), strings.Repeat("世界", 25), strings.Repeat("xяж世 ", 16),
		strings.Repeat("…“é”", 14), strings.Repeat("한글กขि", 10), strings.Repeat("ж😀世x", 15),
	}
	bytes := []string{"", "a", "\x80", "\xa8", "\xbf", "\xc0", "\xc1", "\xc3", "\xe0", "\xe2", "\xe3", "\xed", "\xf0", "\xf8"}
	eachLevel(t, func(t *testing.T) {
		for _, text := range texts {
			for at := 0; at < len(text); at += sparse(7) {
				for _, b := range bytes {
					checkCopy(t, text[:at]+b+text[at:])
					checkCopy(t, text[:at]+b+text[at+1:])
				}
			}
		}
	})
}

func TestCopyPlainRandom(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(5, 6))
		for range scaled(40_000) {
			n := rnd.IntN(200)
			b := randomText(rnd, n)
			if rnd.IntN(2) == 0 { // mostly plain
				b = []byte(strings.Map(func(r rune) rune {
					if r < ' ' || r == '"' || r == '\\' || r == '<' || r == '>' || r == '&' {
						return 'x'
					}
					return r
				}, string(b)))
			}
			checkCopy(t, string(b))
		}
	})
}

func TestCopyPlainChunks(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, unit := range []string{"a", "é", "世", "😀"} {
			text := strings.Repeat(unit, 2*copyChunk/len(unit)+50)
			for shift := range 5 {
				checkCopy(t, strings.Repeat("x", shift)+text)
			}
			for _, stop := range []string{"\"", "\xff", "\u2028", "\xe2\x80", "\xf0\x9f\x98"} {
				for at := copyChunk - 5; at <= copyChunk+1; at += sparse(3) {
					checkCopy(t, text[:at/len(unit)*len(unit)]+stop+text[:100*len(unit)])
				}
			}
		}
	})
}

func FuzzCopyPlain(f *testing.F) {
	for _, s := range utf8Cases {
		f.Add(strings.Repeat("a", 30) + s + "<\"")
	}
	f.Fuzz(func(t *testing.T, s string) {
		eachLevel(t, func(t *testing.T) { checkCopy(t, s) })
	})
}

func BenchmarkCopyPlain(b *testing.B) {
	for _, text := range []struct{ name, s string }{
		{"ascii40", strings.Repeat("0123456789", 4)},
		{"ascii4000", strings.Repeat("0123456789", 400)},
		{"utf8-40", "日本語日本語日本語 text of 40"},
		{"utf8-4000", strings.Repeat("日本語 some text", 200)},
	} {
		dst := make([]byte, len(text.s))
		for _, name := range Levels() {
			b.Run(text.name+"/"+name, func(b *testing.B) {
				defer SetLevel(name)()
				b.SetBytes(int64(len(text.s)))
				for b.Loop() {
					if CopyPlain(dst, text.s, EscapeHTML) != len(text.s) {
						b.Fatal("stopped")
					}
				}
			})
		}
	}
}
