package wire

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestBase64: the bytes and the errors are those of encoding/base64, at every length, for every byte at every place.
func TestBase64(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		check := func(text []byte) {
			t.Helper()
			want, wantErr := base64.StdEncoding.AppendDecode([]byte("x"), text)
			got, err := AppendFromBase64([]byte("x"), text)
			if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%q: %q %v, want %q %v", text, got, err, want, wantErr)
			}
		}
		for n := range 400 {
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			want := base64.StdEncoding.AppendEncode([]byte("x"), src)
			if got := AppendBase64([]byte("x"), src); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes: %s, want %s", n, got, want)
			}
			check(want[1:])
			check(want[1:max(1, len(want)-1)])
		}
		text := base64.StdEncoding.AppendEncode(nil, bytes.Repeat([]byte{0xfb, 0xef, 0xbe, 0, 16, 131}, 20))
		for i := range text {
			for c := range 256 {
				was := text[i]
				text[i] = byte(c)
				check(text)
				text[i] = was
			}
		}
		long := make([]byte, 3*base64Blocks*24+1000)
		for i := range long {
			long[i] = byte(r.Uint32())
		}
		check(AppendBase64(nil, long))
		if got, err := AppendFromBase64(nil, AppendBase64(nil, long)); err != nil || !bytes.Equal(got, long) {
			t.Error(err)
		}
	})
}
