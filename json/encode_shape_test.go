package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json/jsontext"
)

// randomAny returns a nested value with maps of few shapes, which change now and then.
func randomAny(r *rand.Rand, depth int) any {
	switch k := r.IntN(10); {
	case depth > 0 && k < 4:
		m := map[string]any{}
		n := r.IntN(7)
		if r.IntN(20) == 0 {
			n = r.IntN(90)
		}
		for i := range n {
			name := fmt.Sprintf("key%d", i)
			switch r.IntN(30) {
			case 0:
				name = fmt.Sprintf("<%d>", r.IntN(9))
			case 1:
				name = fmt.Sprintf("a name that is longer than three words %d", i)
			case 2:
				name = string(make([]byte, r.IntN(12)))
			}
			m[name] = randomAny(r, depth-1)
		}
		return m
	case depth > 0 && k < 6:
		s := make([]any, r.IntN(5))
		for i := range s {
			s[i] = randomAny(r, depth-1)
		}
		return s
	case k == 6:
		return "text <&>"
	case k == 7:
		return float64(r.IntN(1000)) / 8
	case k == 8:
		return nil
	}
	return true
}

// TestEncodeShapes checks that what is remembered of the maps before does not show.
func TestEncodeShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		v := randomAny(r, 5)
		html := r.IntN(4) > 0
		got, want, gotErr, wantErr := encodeBoth(v, html)
		if gotErr != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Fatalf("value %d, html=%v: got %s, %v, want %s, %v", i, html, got, gotErr, want, wantErr)
		}
	}
}

// TestEncodeShapesAfterError checks that an error in the middle of maps leaves nothing behind.
func TestEncodeShapesAfterError(t *testing.T) {
	bad := func(v any) any {
		return map[string]any{"a": map[string]any{"a": 1, "b": v}, "b": map[string]any{"a": 1, "b": 2}}
	}
	for range 20 {
		if _, err := Marshal(bad(func() {})); !errors.As(err, new(*UnsupportedTypeError)) {
			t.Fatal(err)
		}
		got, err := Marshal(bad("x"))
		want, _ := stdjson.Marshal(bad("x"))
		if err != nil || string(got) != string(want) {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestSortNames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		names := make([]string, r.IntN(100))
		keys := make([]sortKey, len(names))
		for i := range names {
			b := make([]byte, r.IntN(14))
			for k := range b {
				b[k] = "ab\x00\xff"[r.IntN(4)]
			}
			names[i] = string(b)
			keys[i] = sortKey{prefix(names[i]), uint32(i)}
		}
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		sortNames(keys, names)
		for i := 1; i < len(keys); i++ {
			if names[keys[i-1].i] > names[keys[i].i] {
				t.Fatalf("%q comes before %q", names[keys[i-1].i], names[keys[i].i])
			}
		}
	}
}

// A shape that was learned under one set of options must not be what another writes.
func TestEncodeShapesOfModes(t *testing.T) {
	m := map[string]any{"a": 1.5, "<b>": "<", "c\u2028": []any{}, "d": map[string]any(nil), "e": []any(nil)}
	bad := map[string]any{"a": true, "b\xff": nil}
	tests := []struct {
		v    any
		opts Options
		want string // "" is an error
	}{
		{m, EscapeForHTML(true), `{"\u003cb\u003e":"\u003c","a":1.5,"c\u2028":[],"d":null,"e":null}`},
		{m, EscapeForHTML(false), `{"<b>":"<","a":1.5,"c\u2028":[],"d":null,"e":null}`},
		{m, weft.Join(V2(), Deterministic(true)), `{"<b>":"<","a":1.5,"c` + "\u2028" + `":[],"d":{},"e":[]}`},
		{m, weft.Join(jsontext.EscapeForJS(false), FormatNilMapAsNull(false)), `{"\u003cb\u003e":"\u003c","a":1.5,"c` + "\u2028" +
			`":[],"d":{},"e":null}`},
		{bad, EscapeForHTML(true), `{"a":true,"b\ufffd":null}`},
		{bad, jsontext.AllowInvalidUTF8(false), ""},
	}
	for round := range 10 {
		for i, tt := range tests {
			t.Run(tt.want, func(t *testing.T) {
				for range 4 {
					b, err := MarshalWith(tt.v, tt.opts)
					if string(b) != tt.want || (err == nil) != (tt.want != "") {
						t.Errorf("round %d, %d: %s, %v, want %s", round, i, b, err, tt.want)
					}
				}
			})
		}
	}
}
