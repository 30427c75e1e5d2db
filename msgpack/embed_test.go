package msgpack_test

import (
	"testing"

	"github.com/weftcodec/weft/msgpack"
)

// EmbedFar is larger than the structs that embed a pointer to it.
type EmbedFar struct {
	Much [4]int
	Far  string
}

// EmbedNear embeds a pointer, and a pointer to it is embedded.
type EmbedNear struct{ *EmbedFar }

// TestEmbeddedPointers takes a field that stands behind embedded pointers both
// ways: its place must not be looked for in the struct around, which is too
// small for it (-tags purego and -d=checkptr see that).
func TestEmbeddedPointers(t *testing.T) {
	for range 2 { // the program is compiled, then found
		var v struct{ *EmbedNear }
		if err := msgpack.Unmarshal([]byte("\x81\xa3Far\xa1x"), &v); err != nil || v.Far != "x" {
			t.Errorf("%+v, %v", v, err)
		}
		got, err := msgpack.Marshal(v)
		if want := "\x82\xa4Much\x94\x00\x00\x00\x00\xa3Far\xa1x"; string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
		got, err = msgpack.Marshal(struct{ *EmbedNear }{})
		if want := "\x80"; string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}
