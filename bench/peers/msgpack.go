package peers

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/fxamacker/cbor/v2"
	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	"github.com/ugorji/go/codec"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/weftcodec/weft"
	weftpack "github.com/weftcodec/weft/msgpack"
	"google.golang.org/protobuf/proto"

	"github.com/weftcodec/weft/bench/records"
	"github.com/weftcodec/weft/bench/records/recordpb"
)

// Layouts of a struct.
const (
	AsMap   = "map"
	AsArray = "array"
)

// Other is the class of libraries of other formats, which are there for scale.
const Other = "other"

// Pack is a library, in one configuration, that reads and writes a binary
// format.
type Pack struct {
	Name string
	// Class is "plan" for libraries that look at the type when they run,
	// Generated for generated code, Other for another format.
	Class string
	// Layout is AsMap or AsArray.
	Layout string
	// Value returns which form of s is encoded, nil when there is none.
	Value func(s *records.Sample) any
	// Marshal returns the encoding of v.
	Marshal func(v any) ([]byte, error)
	// Append adds the encoding to b; nil when the library has no such
	// function.
	Append func(b []byte, v any) ([]byte, error)
	// Unmarshal decodes into v.
	Unmarshal func(b []byte, v any) error
	// Any decodes into whatever fits; nil when the library has no such
	// function.
	Any func(b []byte) (any, error)
}

// plain encodes the value itself.
func plain(s *records.Sample) any { return s.Plain }

// msgpValue is what msgp's generated code implements.
type msgpValue interface {
	MarshalMsg(b []byte) ([]byte, error)
	UnmarshalMsg(b []byte) ([]byte, error)
}

// AllPacks returns every library in both layouts, the reference first.
func AllPacks() []Pack {
	var all []Pack
	for _, layout := range []string{AsMap, AsArray} {
		all = append(all, msgpPack(layout))
		all = append(all, weftPacks(layout)...)
		all = append(all, shamatonPack(layout), vmihailencoPack(layout), ugorjiPack(layout), hashicorpPack(layout), cborPack(layout))
	}
	all = append(all, jsonPack(), gobPack(), protoPack())
	return all
}

func msgpPack(layout string) Pack {
	value := func(s *records.Sample) any { return s.Map }
	if layout == AsArray {
		value = func(s *records.Sample) any { return s.Tuple }
	}
	app := func(b []byte, v any) ([]byte, error) {
		m, ok := v.(msgpValue)
		if !ok {
			return msgp.AppendIntf(b, v)
		}
		return m.MarshalMsg(b)
	}
	return Pack{
		Name: "msgp", Class: Generated, Layout: layout, Value: value,
		Marshal: func(v any) ([]byte, error) { return app(nil, v) },
		Append:  app,
		Unmarshal: func(b []byte, v any) error {
			m, ok := v.(msgpValue)
			if !ok {
				return fmt.Errorf("peers: no generated code for %T", v)
			}
			rest, err := m.UnmarshalMsg(b)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("peers: %d bytes left", len(rest))
			}
			return err
		},
		Any: func(b []byte) (any, error) {
			v, _, err := msgp.ReadIntfBytes(b)
			return v, err
		},
	}
}

func weftPacks(layout string) []Pack {
	var opts []weft.Options
	if layout == AsArray {
		opts = []weft.Options{weft.StructAsArray(true)}
	}
	return []Pack{{
		Name: "weft", Class: "plan", Layout: layout, Value: plain,
		Marshal:   func(v any) ([]byte, error) { return weftpack.Marshal(v, opts...) },
		Append:    func(b []byte, v any) ([]byte, error) { return weftpack.MarshalAppend(b, v, opts...) },
		Unmarshal: func(b []byte, v any) error { return weftpack.Unmarshal(b, v, opts...) },
		Any: func(b []byte) (v any, err error) {
			err = weftpack.Unmarshal(b, &v, opts...)
			return v, err
		},
	}}
}

func shamatonPack(layout string) Pack {
	p := Pack{Name: "shamaton", Class: "plan", Layout: layout, Value: plain, Marshal: shamaton.MarshalAsMap, Unmarshal: shamaton.UnmarshalAsMap}
	if layout == AsArray {
		p.Marshal, p.Unmarshal = shamaton.MarshalAsArray, shamaton.UnmarshalAsArray
	}
	p.Any = func(b []byte) (v any, err error) {
		err = shamaton.Unmarshal(b, &v)
		return v, err
	}
	return p
}

func vmihailencoPack(layout string) Pack {
	return Pack{
		Name: "vmihailenco", Class: "plan", Layout: layout, Value: plain,
		Marshal: func(v any) ([]byte, error) {
			var w bytes.Buffer
			e := msgpack.GetEncoder()
			defer msgpack.PutEncoder(e)
			e.Reset(&w)
			e.UseArrayEncodedStructs(layout == AsArray)
			e.UseCompactInts(true)
			err := e.Encode(v)
			return w.Bytes(), err
		},
		Unmarshal: msgpack.Unmarshal,
		Any: func(b []byte) (v any, err error) {
			err = msgpack.Unmarshal(b, &v)
			return v, err
		},
	}
}

func ugorjiPack(layout string) Pack {
	h := new(codec.MsgpackHandle)
	h.WriteExt = true
	h.RawToString = true
	h.StructToArray = layout == AsArray
	h.MapType = reflect.TypeFor[map[string]any]()
	return Pack{
		Name: "ugorji", Class: "plan", Layout: layout, Value: plain,
		Marshal: func(v any) (b []byte, err error) {
			err = codec.NewEncoderBytes(&b, h).Encode(v)
			return b, err
		},
		Unmarshal: func(b []byte, v any) error { return codec.NewDecoderBytes(b, h).Decode(v) },
		Any: func(b []byte) (v any, err error) {
			err = codec.NewDecoderBytes(b, h).Decode(&v)
			return v, err
		},
	}
}

func hashicorpPack(layout string) Pack {
	h := new(hashicorp.MsgpackHandle)
	h.WriteExt = true
	h.RawToString = true
	h.StructToArray = layout == AsArray
	h.MapType = reflect.TypeFor[map[string]any]()
	return Pack{
		Name: "hashicorp", Class: "plan", Layout: layout, Value: plain,
		Marshal: func(v any) (b []byte, err error) {
			err = hashicorp.NewEncoderBytes(&b, h).Encode(v)
			return b, err
		},
		Unmarshal: func(b []byte, v any) error { return hashicorp.NewDecoderBytes(b, h).Decode(v) },
		Any: func(b []byte) (v any, err error) {
			err = hashicorp.NewDecoderBytes(b, h).Decode(&v)
			return v, err
		},
	}
}

func jsonPack() Pack {
	return Pack{Name: "encoding/json", Class: Other, Layout: AsMap, Value: plain, Marshal: json.Marshal, Unmarshal: json.Unmarshal}
}

func gobPack() Pack {
	return Pack{
		Name: "gob", Class: Other, Layout: AsMap, Value: plain,
		Marshal: func(v any) ([]byte, error) {
			var w bytes.Buffer
			err := gob.NewEncoder(&w).Encode(v)
			return w.Bytes(), err
		},
		Unmarshal: func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) },
	}
}

// protoPack is Protocol Buffers, for which the record alone has a message.
func protoPack() Pack {
	app := func(b []byte, v any) ([]byte, error) {
		m, ok := v.(proto.Message)
		if !ok {
			return b, fmt.Errorf("peers: no message for %T", v)
		}
		return proto.MarshalOptions{}.MarshalAppend(b, m)
	}
	return Pack{
		Name: "protobuf", Class: Other, Layout: AsMap,
		Value: func(s *records.Sample) any {
			r, ok := s.Plain.(*records.Record)
			if !ok {
				return nil
			}
			return recordpb.From(r)
		},
		Marshal: func(v any) ([]byte, error) { return app(nil, v) },
		Append:  app,
		Unmarshal: func(b []byte, v any) error {
			m, ok := v.(proto.Message)
			if !ok {
				return fmt.Errorf("peers: no message for %T", v)
			}
			return proto.Unmarshal(b, m)
		},
	}
}

// Equal reports whether two values of one library are the same value. Messages of
// Protocol Buffers hold more than their fields.
func Equal(x, y any) bool {
	if m, ok := x.(proto.Message); ok {
		n, ok := y.(proto.Message)
		return ok && proto.Equal(m, n)
	}
	return reflect.DeepEqual(x, y)
}

// cborArray is a [records.Record] that CBOR lays out as an array.
type cborArray struct {
	_      struct{} `cbor:",toarray"`
	Int    int
	Uint   uint
	Float  float32
	Double float64
	Bool   bool
	String string
	Array  []int
	Map    map[string]uint
	Child  cborChild
}

type cborChild struct {
	_      struct{} `cbor:",toarray"`
	Int    int
	String string
}

func cborPack(layout string) Pack {
	p := Pack{Name: "fxamacker/cbor", Class: Other, Layout: layout, Value: plain, Marshal: cbor.Marshal, Unmarshal: cbor.Unmarshal,
		Any: func(b []byte) (v any, err error) {
			err = cbor.Unmarshal(b, &v)
			return v, err
		}}
	if layout == AsArray {
		p.Value = func(s *records.Sample) any {
			r, ok := s.Plain.(*records.Record)
			if !ok {
				return nil
			}
			return ArrayOf(r)
		}
	}
	return p
}

// ArrayOf returns r as a value that fxamacker/cbor writes as an array.
func ArrayOf(r *records.Record) any {
	return &cborArray{Int: r.Int, Uint: r.Uint, Float: r.Float, Double: r.Double, Bool: r.Bool, String: r.String, Array: r.Array, Map: r.Map,
		Child: cborChild{Int: r.Child.Int, String: r.Child.String}}
}

// PackModules lists the modules whose versions belong beside the figures.
var PackModules = []string{
	"github.com/weftcodec/weft", "github.com/tinylib/msgp", "github.com/shamaton/msgpack/v3", "github.com/vmihailenco/msgpack/v5",
	"github.com/ugorji/go/codec", "github.com/hashicorp/go-msgpack/v2", "github.com/fxamacker/cbor/v2",
	"google.golang.org/protobuf",
}
