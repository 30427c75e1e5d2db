package wire

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// seekPlain is SeekName byte by byte.
func seekPlain(text string, first byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return i
			}
		case '"':
			if c := text[i+1]; depth == 0 && (c == first || c == '\\') {
				return i
			}
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return SeekNone
}

// seek is SeekName for a text without what must stand around it.
func seek(text string, first byte) int {
	b := make([]byte, 1+len(text)+65)
	b[0] = ','
	copy(b[1:], text)
	return SeekName(b[1:], len(text), first)
}

// eachSeek runs f under every instruction set that there is a kernel for.
func eachSeek(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	eachLevel(t, func(t *testing.T) {
		if !HasSeekName() {
			t.Skip("no kernel")
		}
		f(t)
	})
}

func checkSeek(t *testing.T, text string, unsure bool) {
	t.Helper()
	want := seekPlain(text, 't')
	got := seek(text, 't')
	// What begins with a backslash just where a block does may be left open.
	if got == SeekUnsure && unsure && strings.Contains(text, `"\`) {
		return
	}
	if got != want {
		t.Errorf("%q: %d, want %d", text, got, want)
	}
}

func TestSeekName(t *testing.T) {
	eachSeek(t, func(t *testing.T) {
		for _, text := range []string{
			``, `}`, `"a":1}`, `"type":1}`, `"a":{"type":1},"type":2}`, `"a":"}{","b":"\"type\":","type":2}`,
			`"a":{},"b":{"c":{}}}`, `"a":"\\","type":1}`,
			`"a":"t","b":"type"}`, `"a":[{"t":1},{}],"t\u0079pe":1}`, `"a":"\\\"","b":"\\\\","c":"\u0022\"","type":1}`, `"":"","type":1}`,
		} {
			for n := range 140 {
				for _, fill := range []string{" ", "x", `\\`, `\"`, `{`, "é"} {
					pad := strings.Repeat(" ", n)
					if fill != " " {
						pad = `"p":"` + strings.Repeat(fill, n) + `",`
					}
					checkSeek(t, pad+text, true)
				}
			}
		}
		// A name that is spelled with an escape is found, but at the ends of blocks.
		for n := range 140 {
			text := strings.Repeat(" ", n) + `"\u0074ype":1}`
			if got := seek(text, 't'); got != n && (n%64 != 63 || got != SeekUnsure) {
				t.Errorf("%q: %d", text, got)
			}
		}
		// More than one call of the kernel.
		long := `"a":{"b":"` + strings.Repeat(`\"}`, scanChunk*64/3) + `"},"type":1}`
		checkSeek(t, long, false)
		checkSeek(t, strings.Repeat(`"a":{"type":"x"},`, scanChunk*4)+`"type":1}`, false)
	})
}

func TestSeekNameRandom(t *testing.T) {
	eachSeek(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 9))
		parts := []string{
			`{`, `}`, `{`, `,`, `:`, ` `, `"a"`, `"t"`, `"\""`, `"\\"`, `"\\\\\""`, `"{"`, `"}"`, `"a\u0022}"`, `""`, `12345678`,
			`[`, `]`, `"lorem ipsum dolor sit amet"`,
		}
		for range 20000 {
			var b strings.Builder
			if r.IntN(2) == 0 {
				b.WriteString(`{{{`) // a while without an end
			}
			for range r.IntN(60) {
				b.WriteString(parts[r.IntN(len(parts))])
			}
			checkSeek(t, b.String(), true)
		}
	})
}

func FuzzSeekName(f *testing.F) {
	f.Add(`"a":{"type":1},"type":2}`, byte('t'))
	f.Fuzz(func(t *testing.T, text string, first byte) {
		if HasSeekName() {
			seek(text, first) // any index, and nothing beyond the text is read
		}
	})
}
