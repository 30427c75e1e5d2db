package cbor

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor/cboritem"
)

// composed reports whether text has no combining acute accent: enough of NFC for these tests.
func composed(text string) bool { return !strings.Contains(text, "\u0301") }

// TestNormalized: text that is not normalized is found wherever it stands, in both directions.
func TestNormalized(t *testing.T) {
	opts := []Options{DCBOR.Strict(), Normalized(composed)}
	for _, tt := range []struct {
		name, item, path string // path is "-" for what is normalized
	}{
		{"ascii", `{"a": ["b"]}`, "-"},
		{"composed", "{\"\u00e9\": \"\u00e9\"}", "-"},
		{"bytes", `h'65cc81'`, "-"},
		{"in bytes", `[h'6365cc81', "x"]`, "-"},
		{"value", "[1, \"e\u0301\"]", "/1"},
		{"at the top", "\"e\u0301\"", ""},
		{"name", "{\"e\u0301\": 1}", "/e\u0301"},
		{"nested", "{\"a\": [0, {\"b\": \"e\u0301\"}]}", "/a/1/b"},
		{"behind a float", "[1.1, \"e\u0301\"]", "/1"},
		{"with a tag", "{\"a\": 32(\"e\u0301\")}", "/a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := cboritem.ParseDiagnostic(tt.item)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, err error) {
				e := new(weft.Error)
				if tt.path == "-" && err != nil || tt.path != "-" && (!errors.As(err, &e) || e.Err != errNormal || e.Path != tt.path) {
					t.Errorf("%s: %v", what, err)
				}
			}
			var v any
			check("read", Unmarshal(b, &v, opts...))
			check("read from a stream", NewDecoder(bytes.NewReader(b), opts...).Decode(new(any)))
			check("skipped", Unmarshal(b, new(Raw), opts...))
			_, err = Marshal(Raw(b), opts...)
			check("written", err)
			if err := Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			_, err = MarshalAppend([]byte("before"), v, opts...)
			check("appended", err)
			check("written to a stream", NewEncoder(new(bytes.Buffer), opts...).Encode(v))
			if valid := Valid(b, opts...); valid != (tt.path == "-") {
				t.Errorf("valid: %v", valid)
			}
			if !Valid(b, DCBOR.Strict(), Normalized(composed), Normalized(nil)) {
				t.Error("refused by no function")
			}
		})
	}
	chunks := []byte("\x7f\x61e\x62\u0301\xff")
	if err := Unmarshal(chunks, new(string), Normalized(composed)); !errors.Is(err, errNormal) {
		t.Error("in chunks:", err)
	}
	for n := range chunks {
		if err := Unmarshal(chunks[:n], new(string), Normalized(composed)); !errors.Is(err, weft.ErrUnexpectedEnd) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}
