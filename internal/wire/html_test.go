package wire

import (
	"bytes"
	"strings"
	"testing"
)

// TestIndexHTML has each byte that is looked for at each place of texts of many lengths, and again further on.
func TestIndexHTML(t *testing.T) {
	for n := range 900 {
		text := []byte(strings.Repeat("plain é日 ", n/8+1)[:n])
		if got := IndexHTML(text, 0); got != n {
			t.Fatalf("%d in %d bytes without any", got, n)
		}
		for at := n % 7; at < n; at += 1 + n/40 {
			for _, c := range []byte("<>&\xe2") {
				was := text[at]
				text[at] = c
				for _, from := range []int{0, at / 2, at} {
					if got := IndexHTML(text, from); got != at {
						t.Fatalf("%q at %d of %d bytes is found at %d", c, at, n, got)
					}
				}
				if got, want := IndexHTML(text, at+1), at+1+bytes.IndexAny(text[at+1:], "<>&"); want > at && got != want || want == at && got != n {
					t.Fatalf("behind %d of %d bytes: %d", at, n, got)
				}
				text[at] = was
			}
		}
	}
}

// TestAppendHTMLEscape has the same bytes, and what begins like U+2028, at each place of texts of many lengths.
func TestAppendHTMLEscape(t *testing.T) {
	plain := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`)
	for _, level := range Levels() {
		restore := SetLevel(level)
		for n := range 200 {
			for at := 0; at <= n; at += 1 + n/20 {
				for _, in := range []string{"", "<", ">", "&", "\u2028", "\u2029", "\u201c", "\xe2", "\xe2\x80", "&\u2028"} {
					text := strings.Repeat("plain é日", n/8+1)
					text = text[:at] + in + text[at:n]
					if got := AppendHTMLEscape([]byte("x"), []byte(text), true, true); string(got) != "x"+plain.Replace(text) {
						t.Fatalf("%s: %q becomes %q", level, text, got)
					}
				}
			}
		}
		long := bytes.Repeat([]byte("0123456789"), 2*copyChunk/10+3)
		long[copyChunk] = '<'
		if got := AppendHTMLEscape(nil, long, true, true); string(got) != plain.Replace(string(long)) {
			t.Fatalf("%s: a long text becomes another one", level)
		}
		restore()
	}
}
