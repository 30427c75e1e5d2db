package opttest

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"testing"

	"github.com/bytedance/sonic"
	gojson "github.com/goccy/go-json"
	goccy "github.com/goccy/go-yaml"
	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
	yaml "go.yaml.in/yaml/v3"

	"github.com/weftcodec/weft/opt"
)

// library writes and reads values with methods of its own choice.
type library struct {
	name      string
	binary    bool
	marshal   func(v any) ([]byte, error)
	unmarshal func(b []byte, v any) error
	nulls     nulls
}

// nulls is what a library does with a null that it reads and with what is absent.
type nulls int

const (
	asked   nulls = iota // the type is told of the null
	skipped              // the value stays what it was
	written              // the type is told of it; and what is absent cannot be left out
)

func libraries() []library {
	compatible := jsoniter.ConfigCompatibleWithStandardLibrary
	return []library{
		{"jsoniter", false, compatible.Marshal, compatible.Unmarshal, written},
		{"easyjson", false,
			func(v any) ([]byte, error) { return easyjson.Marshal(v.(easyjson.Marshaler)) },
			func(b []byte, v any) error { return easyjson.Unmarshal(b, v.(easyjson.Unmarshaler)) }, skipped},
		{"goccy/go-json", false, gojson.Marshal, gojson.Unmarshal, asked},
		{"sonic", false, sonic.Marshal, sonic.Unmarshal, asked},
		{"goccy/go-yaml", false, goccy.Marshal, goccy.Unmarshal, skipped},
		{"go.yaml.in/yaml/v3", false, yaml.Marshal, yaml.Unmarshal, skipped},
		{"mongo-driver", true, bson.Marshal, bson.Unmarshal, asked},
		{"msgp", true,
			func(v any) ([]byte, error) { return v.(msgp.Marshaler).MarshalMsg(nil) },
			func(b []byte, v any) error {
				rest, err := v.(msgp.Unmarshaler).UnmarshalMsg(b)
				if err == nil && len(rest) > 0 {
					err = fmt.Errorf("%d bytes are left", len(rest))
				}
				return err
			}, asked},
		{"vmihailenco/msgpack", true, vmihailenco.Marshal, vmihailenco.Unmarshal, skipped},
		{"encoding/gob", true,
			func(v any) ([]byte, error) {
				var b bytes.Buffer
				err := gob.NewEncoder(&b).Encode(v)
				return b.Bytes(), err
			},
			func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }, asked},
	}
}

func documents() []Document {
	return []Document{
		{},
		{F: opt.FieldNull[int64](), B: opt.FieldNull[bool]()},
		{N: opt.NullOf[int64](0), S: opt.NullOf(""), V: opt.ValOf(""), F: opt.FieldOf[int64](0), B: opt.FieldOf(false),
			X: opt.NullOf(0.0), U: opt.NullOf[uint32](0)},
		{N: opt.NullOf[int64](-1 << 63), S: opt.NullOf("null"), V: opt.ValOf("x: <&>\n\"é"), F: opt.FieldOf[int64](7), B: opt.FieldOf(true),
			X: opt.NullOf(0.1), U: opt.NullOf[uint32](1<<32 - 1)},
	}
}

// TestLibraries writes and reads each state.
func TestLibraries(t *testing.T) {
	for _, l := range libraries() {
		for i, want := range documents() {
			if l.nulls == written && !want.V.IsSet() {
				// What stands for an absent Val is null, and is refused.
				want.V.Set("")
			}
			b, err := l.marshal(&want)
			if err != nil {
				t.Errorf("%s: document %d: %v", l.name, i, err)
				continue
			}
			switch {
			case l.nulls == skipped && i == 1:
				want.F.Unset()
				want.B.Unset()
			case l.nulls == written && i == 0:
				want.F.SetNull()
				want.B.SetNull()
			}
			var got Document
			if err := l.unmarshal(b, &got); err != nil || got != want {
				t.Errorf("%s: document %d: %q comes back as %+v, %v", l.name, i, b, got, err)
			}
		}
	}
}

// TestRefused checks that what does not fit is an error of each library, and leaves the old value whole.
func TestRefused(t *testing.T) {
	wrong, err := vmihailenco.Marshal(map[string]any{"n": "text"})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := bson.Marshal(map[string]any{"u": int64(1) << 32})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{
		"jsoniter":            {`{"n":"text"}`, `{"u":4294967296}`, `{"v":null}`, `{"b":1}`},
		"easyjson":            {`{"n":"text"}`, `{"u":4294967296}`, `{"b":1}`},
		"goccy/go-json":       {`{"n":"text"}`, `{"u":4294967296}`, `{"v":null}`, `{"b":1}`},
		"sonic":               {`{"n":"text"}`, `{"u":4294967296}`, `{"v":null}`, `{"b":1}`},
		"goccy/go-yaml":       {"n: text", "u: 4294967296", "b: 1"},
		"go.yaml.in/yaml/v3":  {"n: text", "u: 4294967296", "b: 1"},
		"mongo-driver":        {string(wide)},
		"msgp":                {string(wrong), "\x81\xa1u\xcf\x00\x00\x00\x01\x00\x00\x00\x00", "\x81\xa1v\xc0"},
		"vmihailenco/msgpack": {string(wrong), "\x81\xa1u\xcf\x00\x00\x00\x01\x00\x00\x00\x00"},
	}
	for _, l := range libraries() {
		for _, text := range tests[l.name] {
			old := documents()[3]
			got := old
			if err := l.unmarshal([]byte(text), &got); err == nil || got != old {
				t.Errorf("%s: %q: %v, leaves %+v", l.name, text, err, got)
			}
		}
	}
}
