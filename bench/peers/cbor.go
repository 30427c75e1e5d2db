package peers

import (
	"reflect"

	"github.com/fxamacker/cbor/v2"
	"github.com/ugorji/go/codec"
	"github.com/weftcodec/weft"
	weftcbor "github.com/weftcodec/weft/cbor"
	weftjson "github.com/weftcodec/weft/json"
	weftpack "github.com/weftcodec/weft/msgpack"
)

// Items is a library that reads and writes CBOR, or weft in another format, which is there for scale.
type Items struct {
	Name string
	// Class is "plan", or Other for another format.
	Class     string
	Marshal   func(v any) ([]byte, error)
	Append    func(b []byte, v any) ([]byte, error) // nil when the library has no such function
	Unmarshal func(b []byte, v any) error
	// IntKeys says that members may have integers as names, by a tag of the field.
	IntKeys bool
}

// AllItems returns the libraries, the reference first. Structs are written as maps, or as arrays by those that
// have an option for it. In MessagePack codecs serve for types with methods that only other formats call.
func AllItems(layout string, codecs ...weft.Codec) []Items {
	var opts []weft.Options
	if layout == AsArray {
		opts = []weft.Options{weft.StructAsArray(true)}
	}
	strict := append(opts[:len(opts):len(opts)], weftcbor.Core.Strict())
	packed := opts
	if len(codecs) > 0 {
		packed = append(opts[:len(opts):len(opts)], weft.Codecs(codecs...))
	}
	h := new(codec.CborHandle)
	h.StructToArray = layout == AsArray
	h.MapType = reflect.TypeFor[map[string]any]()
	list := []Items{
		{Name: "fxamacker", Class: "plan", IntKeys: true, Marshal: cbor.Marshal, Unmarshal: cbor.Unmarshal},
		{
			Name: "weft", Class: "plan", IntKeys: true,
			Marshal:   func(v any) ([]byte, error) { return weftcbor.Marshal(v, opts...) },
			Append:    func(b []byte, v any) ([]byte, error) { return weftcbor.MarshalAppend(b, v, opts...) },
			Unmarshal: func(b []byte, v any) error { return weftcbor.Unmarshal(b, v, opts...) },
		},
		{
			Name: "weft strict", Class: "plan", IntKeys: true,
			Marshal:   func(v any) ([]byte, error) { return weftcbor.Marshal(v, strict...) },
			Unmarshal: func(b []byte, v any) error { return weftcbor.Unmarshal(b, v, strict...) },
		},
		{
			Name: "ugorji", Class: "plan",
			Marshal: func(v any) (b []byte, err error) {
				err = codec.NewEncoderBytes(&b, h).Encode(v)
				return b, err
			},
			Unmarshal: func(b []byte, v any) error { return codec.NewDecoderBytes(b, h).Decode(v) },
		},
		{
			Name: "weft msgpack", Class: Other, IntKeys: true,
			Marshal:   func(v any) ([]byte, error) { return weftpack.Marshal(v, packed...) },
			Append:    func(b []byte, v any) ([]byte, error) { return weftpack.MarshalAppend(b, v, packed...) },
			Unmarshal: func(b []byte, v any) error { return weftpack.Unmarshal(b, v, packed...) },
		},
		{
			Name: "weft json", Class: Other, IntKeys: true,
			Marshal:   func(v any) ([]byte, error) { return weftjson.MarshalWith(v, opts...) },
			Unmarshal: func(b []byte, v any) error { return weftjson.UnmarshalWith(b, v, opts...) },
		},
	}
	return list
}

// ItemModules lists the modules whose versions belong beside the figures.
var ItemModules = []string{"github.com/weftcodec/weft", "github.com/fxamacker/cbor/v2", "github.com/ugorji/go/codec"}
