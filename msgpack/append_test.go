package msgpack

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Law: AppendString appends what packwire's does, whatever room there is.
func TestAppendString(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 255, 256, 65535, 65536} {
		s := strings.Repeat("w", n)
		want := packwire.AppendString([]byte("before"), s)
		for room := range 9 {
			b := append(make([]byte, 0, len("before")+n+room), "before"...)
			if got := AppendString(b, s); !bytes.Equal(got, want) {
				t.Errorf("%d bytes with room for %d more: % x", n, room, got[:min(len(got), 20)])
			}
		}
		if got := AppendString([]byte("before"), s); !bytes.Equal(got, want) {
			t.Errorf("%d bytes without room: % x", n, got[:min(len(got), 20)])
		}
	}
}
