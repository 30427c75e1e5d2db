package json_test

import (
	"testing"

	"github.com/weftcodec/weft/json"
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
		if err := json.Unmarshal([]byte(`{"Far": "x"}`), &v); err != nil || v.Far != "x" {
			t.Errorf("%+v, %v", v, err)
		}
		got, err := json.Marshal(v)
		if want := `{"Much":[0,0,0,0],"Far":"x"}`; string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// EmbedKnot has a field that embeds a pointer to it, by way of which it is a field of itself.
type EmbedKnot struct {
	N     int
	Inner struct{ *EmbedKnotted }
}

// EmbedKnotted is an EmbedKnot that another type points to.
type EmbedKnotted EmbedKnot

func TestEmbeddedKnot(t *testing.T) {
	for _, o := range []json.Options{{}, json.V2(), json.StringifyNumbers(false), json.FormatTime("unix")} {
		var v EmbedKnot
		const want = `{"N":1,"Inner":{"N":2,"Inner":{}}}`
		if err := json.UnmarshalWith([]byte(want), &v, o); err != nil {
			t.Error(err)
		}
		if got, err := json.MarshalWith(v, o); string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}
