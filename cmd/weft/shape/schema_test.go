package shape

import (
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

func TestAppendSchema(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"scalars", `[{"a":1,"b":"x","c":2.5,"d":true}]`, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer",` +
			`"format":"int64"},"b":{"type":"string"},"c":{"type":"number","format":"double"},"d":{"type":"boolean"}},` +
			`"required":["a","b","c","d"]}}`},
		{"absent and null", `[{"a":1,"b":null},{"a":2.5},{"b":"x"},{}]`,
			`{"type":"array","items":{"type":"object","properties":{"a":{"type":"number",` +
				`"format":"double"},"b":{"type":["string","null"]}}}}`},
		{"several kinds", `{"a":[1,"x"],"b":null,"c":[]}`, `{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{},` +
			`"c":{"type":"array","items":{}}},"required":["a","b","c"]}`},
		{"keys", `{"a b":1,"c d":2}`, `{"type":"object","additionalProperties":{"type":"integer","format":"int64"}}`},
		{"large", `18446744073709551615`, `{"type":"integer","format":"uint64"}`},
		{"empty", `{}`, `{"type":"object","properties":{}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v value.Value
			if err := json.Unmarshal([]byte(tt.text), &v); err != nil {
				t.Fatal(err)
			}
			var s Shape
			s.Add(v)
			if got := string(s.AppendSchema(nil)); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}
