package wire

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func checkValid(t *testing.T, b []byte) {
	t.Helper()
	want := utf8.Valid(b)
	if got := ValidUTF8(b[:len(b):len(b)]); got != want {
		t.Fatalf("ValidUTF8(%q) = %v", b, got)
	}
	if got := ValidUTF8String(string(b)); got != want {
		t.Fatalf("ValidUTF8String(%q) = %v", b, got)
	}
}

func TestValidUTF8(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, c := range utf8Cases {
			for n := range 200 {
				for _, after := range []string{"", "a", "é", strings.Repeat("b", 70), strings.Repeat("世", 50)} {
					checkValid(t, []byte(strings.Repeat("a", n)+c+after))
				}
				checkValid(t, []byte(strings.Repeat("é", n)+c))
			}
		}
		rnd := rand.New(rand.NewPCG(25, 26))
		for range scaled(20_000) {
			checkValid(t, randomText(rnd, rnd.IntN(400)))
		}
	})
}

func TestValidUTF8Chunks(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, c := range []string{"é", "世", "😀", "\x80", "\xe1\x80", "\xf1\x80\x80", "\xff"} {
			for at := validChunk - 4; at <= validChunk; at++ {
				b := bytes.Repeat([]byte{'a'}, at)
				b = append(b, c...)
				checkValid(t, b)
				checkValid(t, append(b, strings.Repeat("z", 200)...))
			}
		}
	})
}

func FuzzValidUTF8(f *testing.F) {
	for _, s := range utf8Cases {
		f.Add([]byte(strings.Repeat("é", 40) + s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		eachLevel(t, func(t *testing.T) { checkValid(t, b) })
	})
}

func BenchmarkValidUTF8(b *testing.B) {
	for _, text := range []struct{ name, s string }{
		{"ascii100", strings.Repeat("0123456789", 10)},
		{"ascii", strings.Repeat("0123456789", 10000)},
		{"utf8", strings.Repeat("日本語 some text", 5000)},
	} {
		src := []byte(text.s)
		for _, name := range Levels() {
			b.Run(text.name+"/"+name, func(b *testing.B) {
				defer SetLevel(name)()
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					if !ValidUTF8(src) {
						b.Fatal("invalid")
					}
				}
			})
		}
	}
}
