package sdktypes

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/msgpack"
)

// TestRoundTrips: what JSON reads of the SDKs' types is written and read back by the binary formats.
func TestRoundTrips(t *testing.T) {
	for _, d := range All() {
		text, err := d.Data()
		if err != nil {
			t.Fatal(err)
		}
		v := d.New()
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
		for _, f := range []weft.Format{msgpack.Format, cbor.Format} {
			got := d.New()
			b, err := f.MarshalAppend(nil, v, weft.Codecs(d.Codecs...))
			if err == nil {
				err = f.Unmarshal(b, got, weft.Codecs(d.Codecs...))
			}
			if err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("%s, %s: another value, or an error: %v", d.Name, f.Name(), err)
			}
		}
	}
}
