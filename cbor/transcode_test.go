package cbor_test

import (
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

// TestTranscode: from JSON, and back to it (RFC 8949 §6).
func TestTranscode(t *testing.T) {
	for _, tt := range []struct{ json, cbor, back string }{
		{`{"a":[1,-2,1.5,"x",true,null],"b":{}}`, `{"a": [1, -2, 1.5, "x", true, null], "b": {}}`, ""},
		{`123456789012345678901234567890`, `123456789012345678901234567890`, ""},
		{`-123456789012345678901234567890`, `-123456789012345678901234567890`, ""},
		{`18446744073709551615`, `18446744073709551615`, ""},
		{`-18446744073709551616`, `-18446744073709551616`, ""},
		{`-0`, `-0.0`, ""},
		{`0.1234567890123456789012345`, `4([-25, 1234567890123456789012345])`, `1234567890123456789012345e-25`},
		{`1e-2000`, `4([-2000, 1])`, `1e-2000`},
	} {
		t.Run(tt.json, func(t *testing.T) {
			b, err := weft.Transcode(nil, cbor.Format, []byte(tt.json), json.Format)
			text, _, bad := cboritem.AppendDiagnostic(nil, b)
			if err != nil || bad != nil || string(text) != tt.cbor {
				t.Errorf("%s %v %v, want %s", text, err, bad, tt.cbor)
				return
			}
			if tt.back == "" {
				tt.back = tt.json
			}
			if out, err := weft.Transcode(nil, json.Format, b, cbor.Format); err != nil || string(out) != tt.back {
				t.Errorf("%s: %s %v, want %s", tt.cbor, out, err, tt.back)
			}
			var v value.Value
			if err := cbor.Unmarshal(b, &v); err != nil || v.String() != tt.back {
				t.Errorf("%s as a value: %v %v, want %s", tt.cbor, v, err, tt.back)
			}
		})
	}
	for _, tt := range []struct{ cbor, json string }{
		{`h'010203'`, `"AQID"`},
		{`21(h'fbff')`, `"-_8"`},
		{`22(h'fbff')`, `"+/8="`},
		{`23(h'fbff')`, `"FBFF"`},
		{`5([1, 3])`, `6`},
		{`1(0)`, `"1970-01-01T00:00:00Z"`},
		{`[_ (_ "a", "b"), 7000("x"), undefined, 55799(1)]`, `["ab","x",null,1]`},
		{`[_ 7000(null), 258(55799(undefined)), {_ "a": 7000(null)}]`, `[null,null,{"a":null}]`},
		{`7000(null)`, `null`},
		{`{_ 1: 2, "a": 3}`, `{"1":2,"a":3}`},
		{`simple(99)`, ""},
		{`[NaN]`, ""},
		{`{[1]: 2}`, ""},
	} {
		t.Run(tt.cbor, func(t *testing.T) {
			b, err := cboritem.ParseDiagnostic(tt.cbor)
			if err != nil {
				t.Fatal(err)
			}
			out, err := weft.Transcode(nil, json.Format, b, cbor.Format)
			if (err == nil) != (tt.json != "") || string(out) != tt.json {
				t.Errorf("%s %v, want %s", out, err, tt.json)
			}
			if err != nil || tt.json[0] == '"' {
				return
			}
			packed, err := weft.Transcode(nil, msgpack.Format, b, cbor.Format)
			if err != nil {
				t.Error(err)
			}
			again, err := weft.Transcode(nil, cbor.Format, packed, msgpack.Format)
			if err != nil {
				t.Error(err)
			}
			if out, err = weft.Transcode(nil, json.Format, again, cbor.Format); err != nil || string(out) != tt.json {
				t.Errorf("by MessagePack: %s %v, want %s", out, err, tt.json)
			}
		})
	}
}
