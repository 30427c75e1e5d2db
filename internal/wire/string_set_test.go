package wire

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// TestSetShortStringLikeAppend puts every byte at every place of every short string.
func TestSetShortStringLikeAppend(t *testing.T) {
	for n := range ShortString {
		for at := range max(n, 1) {
			for c := range 256 {
				s := []byte(strings.Repeat("x", n))
				if n > 0 {
					s[at] = byte(c)
				}
				for html := range Escapes(2) {
					want := string(AppendJSONString(nil, string(s), html))
					plain := want == `"`+string(s)+`"` && (n == 0 || c < 0x80)
					var b [40]byte
					end := SetShortString(mem.BytesOf(b[:]), 5, string(s), html)
					if plain != (end >= 0) || plain && string(b[5:end]) != want {
						t.Fatalf("%q html=%v: %d %q, want %s", s, html, end, b[:], want)
					}
				}
			}
		}
	}
}
