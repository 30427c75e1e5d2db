// Package peers puts every library that a table compares behind the same few
// functions.
package peers

import (
	"encoding/json"
	"fmt"

	"github.com/bytedance/sonic"
	sonicenc "github.com/bytedance/sonic/encoder"
	jsonv2 "github.com/go-json-experiment/json"
	gojson "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"
	segment "github.com/segmentio/encoding/json"
)

// The classes of JSON libraries: only libraries of one class are ranked
// against each other.
const (
	// Compatible libraries promise encoding/json's results: everything is
	// validated, invalid UTF-8 replaced, names matched without case, map
	// keys sorted, <, > and & escaped, the input not kept.
	Compatible = "compat"
	// Anything goes: UTF-8 unchecked, input aliased, keys unsorted.
	Anything = "any"
	// Second is the semantics of encoding/json/v2: names matched by case,
	// duplicate names and invalid UTF-8 refused, maps unsorted. Nil slices
	// and maps are written as null here, so that the texts have one value.
	Second = "v2"
	// Generated code, made for the types in advance.
	Generated = "generated"
)

// JSON is a library, in one configuration, that reads and writes JSON.
type JSON struct {
	Name  string
	Class string
	// Marshal returns the encoding of v.
	Marshal func(v any) ([]byte, error)
	// Append adds the encoding of v to b; nil when the library has no such
	// function.
	Append func(b []byte, v any) ([]byte, error)
	// Unmarshal decodes into v.
	Unmarshal func(b []byte, v any) error
	// Valid reports whether b is well-formed; nil when there is no such
	// function.
	Valid func(b []byte) bool
	// Takes reports whether the library handles the type of v; nil means
	// that it takes every type.
	Takes func(v any) bool
}

// Std is the library whose results are the reference.
func Std() JSON {
	return JSON{Name: "encoding/json", Class: Compatible, Marshal: json.Marshal, Unmarshal: json.Unmarshal, Valid: json.Valid}
}

// AllJSON returns every JSON library, the reference first.
func AllJSON() []JSON {
	all := []JSON{Std()}
	all = append(all, weftJSON()...)
	return append(all,
		JSON{Name: "go-json", Class: Compatible, Marshal: gojson.Marshal, Unmarshal: gojson.Unmarshal, Valid: gojson.Valid},
		JSON{Name: "sonic std", Class: Compatible, Marshal: sonic.ConfigStd.Marshal, Unmarshal: sonic.ConfigStd.Unmarshal, Valid: sonic.ConfigStd.Valid,
			Append: sonicAppend(sonicenc.SortMapKeys | sonicenc.EscapeHTML | sonicenc.CompactMarshaler | sonicenc.ValidateString)},
		JSON{Name: "jsoniter", Class: Compatible, Marshal: jsoniter.ConfigCompatibleWithStandardLibrary.Marshal,
			Unmarshal: jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal, Valid: jsoniter.ConfigCompatibleWithStandardLibrary.Valid},
		JSON{Name: "segmentio", Class: Compatible, Marshal: segment.Marshal, Unmarshal: segment.Unmarshal, Valid: segment.Valid,
			Append: func(b []byte, v any) ([]byte, error) {
				return segment.Append(b, v, segment.EscapeHTML|segment.SortMapKeys)
			}},
		JSON{Name: "sonic default", Class: Anything, Marshal: sonic.ConfigDefault.Marshal, Unmarshal: sonic.ConfigDefault.Unmarshal,
			Append: sonicAppend(0)},
		JSON{Name: "sonic fastest", Class: Anything, Marshal: sonic.ConfigFastest.Marshal, Unmarshal: sonic.ConfigFastest.Unmarshal},
		JSON{Name: "go-json unsafe", Class: Anything,
			Marshal: func(v any) ([]byte, error) {
				return gojson.MarshalWithOption(v, gojson.UnorderedMap(), gojson.DisableHTMLEscape(), gojson.DisableNormalizeUTF8())
			},
			Unmarshal: func(b []byte, v any) error {
				return gojson.UnmarshalWithOption(b, v, gojson.DecodeNoCopyString())
			}},
		JSON{Name: "encoding/json/v2", Class: Second,
			Marshal: func(v any) ([]byte, error) {
				return jsonv2.Marshal(v, jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true))
			},
			Unmarshal: func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }},
		JSON{Name: "easyjson", Class: Generated, Takes: easyTakes,
			Marshal: func(v any) ([]byte, error) {
				m, ok := v.(easyjson.Marshaler)
				if !ok {
					return nil, fmt.Errorf("peers: no generated code for %T", v)
				}
				return easyjson.Marshal(m)
			},
			Unmarshal: func(b []byte, v any) error {
				u, ok := v.(easyjson.Unmarshaler)
				if !ok {
					return fmt.Errorf("peers: no generated code for %T", v)
				}
				return easyjson.Unmarshal(b, u)
			}},
	)
}

// easyTakes reports whether the binary was built with easyjson's generated
// methods for the type of v.
func easyTakes(v any) bool {
	_, ok := v.(easyjson.Unmarshaler)
	return ok
}

// sonicAppend returns sonic's encoder into a buffer of the caller.
func sonicAppend(opts sonicenc.Options) func(b []byte, v any) ([]byte, error) {
	return func(b []byte, v any) ([]byte, error) {
		err := sonicenc.EncodeInto(&b, v, opts)
		return b, err
	}
}

// JSONModules lists the modules whose versions belong beside the figures.
var JSONModules = []string{
	"github.com/weftcodec/weft", "github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/json-iterator/go",
	"github.com/go-json-experiment/json", "github.com/segmentio/encoding", "github.com/mailru/easyjson", "github.com/klauspost/compress",
}
