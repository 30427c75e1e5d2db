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
