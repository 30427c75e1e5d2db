package inspect

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft/tagged"
)

func TestTagged(t *testing.T) {
	b, err := tagged.Marshal(map[string]any{"a": int32(1), "b": []any{"x", nil, 2.5}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Dump(&out, strings.NewReader(string(b)), Tagged); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"01 96 44 87", "874496 int32 a 1", "/a", "e8f941 array b", `[0] string "x"`, "[2] double 2.5", "/b/2", "names, ",
		"874496 int32 a\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for n := range b {
		var part strings.Builder
		_ = Dump(&part, strings.NewReader(string(b[:n])), Tagged) // must not panic
		bad := append([]byte(nil), b...)
		bad[n] ^= 0x55
		_ = Dump(&part, strings.NewReader(string(bad)), Tagged)
	}
	f, err := tagged.MarshalFramed([]struct{ X int }{{1}, {2}})
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := Dump(&out, strings.NewReader(string(f)), Framed); err != nil ||
		!strings.Contains(out.String(), "header of a list of struct{X int}") ||
		!strings.Contains(out.String(), "frame of 2 records") || !strings.Contains(out.String(), "end of the stream") {
		t.Error(err, out.String())
	}
	if err := Dump(&out, strings.NewReader(string(f[:len(f)-1])), Framed); err == nil {
		t.Error("a torn stream is whole")
	}
}
