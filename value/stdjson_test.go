package value_test

import (
	stdjson "encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

// TestStdJSON compares encoding/json's way with weft's.
func TestStdJSON(t *testing.T) {
	type holder struct {
		V value.Value  `json:"v"`
		P *value.Value `json:"p"`
	}
	r := rand.New(rand.NewPCG(8, 2))
	for range 300 {
		v := random(r, 3, true)
		in := holder{v, &v}
		text, err := stdjson.Marshal(in)
		want, wantErr := json.Marshal(in)
		if err != nil || wantErr != nil || string(text) != string(want) {
			t.Fatalf("%s, %v, want\n%s, %v", text, err, want, wantErr)
		}
		var a, b holder
		if err := stdjson.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		if a.V.GoString() != b.V.GoString() || a.P != nil && a.P.GoString() != b.P.GoString() {
			t.Fatalf("%s is\n%#v, want\n%#v", text, a.V, b.V)
		}
	}
	v := value.Int(7)
	for _, bad := range []string{``, `[`, `{"a"`, `{"a":`, `[1,`, `tru`} {
		if err := v.UnmarshalJSON([]byte(bad)); err == nil || !v.Equal(value.Int(7)) {
			t.Errorf("%q: %v, %v", bad, v, err)
		}
	}
	if _, err := stdjson.Marshal(value.Ext(1, nil)); err == nil {
		t.Error("an extension in JSON")
	}
}
