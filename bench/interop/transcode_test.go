package interop

import (
	stdjson "encoding/json"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"

	"github.com/weftcodec/weft/bench/corpus"
)

// TestTranscode takes every corpus from JSON to MessagePack and back without a
// tree, and compares what stands there with encoding/json's values.
func TestTranscode(t *testing.T) {
	for _, c := range corpus.All() {
		t.Run(c.Name, func(t *testing.T) {
			if c.Name == "result_18mb" && testing.Short() {
				t.Skip("-short")
			}
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if err := stdjson.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			packed, err := weft.Transcode(nil, msgpack.Format, data, json.Format)
			if err != nil {
				t.Fatal(err)
			}
			if !msgpack.Valid(packed) {
				t.Fatal("not valid MessagePack")
			}
			if err := msgpack.Unmarshal(packed, &got, msgpack.AnyFloats(true)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Error("another value in MessagePack")
			}
			text, err := weft.Transcode(nil, json.Format, packed, msgpack.Format)
			if err != nil {
				t.Fatal(err)
			}
			got = nil
			if err := stdjson.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Error("another value in JSON again")
			}
			t.Logf("%d bytes of JSON, %d of MessagePack", len(data), len(packed))
		})
	}
}
