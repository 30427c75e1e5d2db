package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// implementation is a package with the API of encoding/json.
type implementation struct {
	name          string
	Marshal       func(v any) ([]byte, error)
	MarshalIndent func(v any, prefix, indent string) ([]byte, error)
	Unmarshal     func(data []byte, v any) error
	Valid         func(data []byte) bool
	Compact       func(dst *bytes.Buffer, src []byte) error
	Indent        func(dst *bytes.Buffer, src []byte, prefix, indent string) error
	HTMLEscape    func(dst *bytes.Buffer, src []byte)
	NewDecoder    func(r io.Reader) decoder
	NewEncoder    func(w io.Writer) encoder
}

// decoder is the method set of *Decoder.
type decoder interface {
	Decode(v any) error
	UseNumber()
	DisallowUnknownFields()
	More() bool
	Token() (stdjson.Token, error)
	Buffered() io.Reader
	InputOffset() int64
}

// encoder is the method set of *Encoder.
type encoder interface {
	Encode(v any) error
	SetIndent(prefix, indent string)
	SetEscapeHTML(on bool)
}

// oracle is encoding/json.
var oracle = implementation{
	"encoding/json", stdjson.Marshal, stdjson.MarshalIndent, stdjson.Unmarshal, stdjson.Valid, stdjson.Compact,
	stdjson.Indent, stdjson.HTMLEscape,
	func(r io.Reader) decoder { return stdjson.NewDecoder(r) },
	func(w io.Writer) encoder { return stdjson.NewEncoder(w) },
}

// subject is the package under test.
var subject = implementation{
	"weft",
	func(v any) ([]byte, error) { return json.Marshal(v) },
	func(v any, prefix, indent string) ([]byte, error) { return json.MarshalIndent(v, prefix, indent) },
	func(data []byte, v any) error { return json.Unmarshal(data, v) },
	func(data []byte) bool { return json.Valid(data) },
	json.Compact, json.Indent, json.HTMLEscape,
	func(r io.Reader) decoder { return json.NewDecoder(r) },
	func(w io.Writer) encoder { return json.NewEncoder(w) },
}

// variant is the package under test through its functions that encoding/json
// does not have: without options they do the same.
var variant = implementation{
	"weft, append and streams",
	func(v any) ([]byte, error) {
		const prefix = "prefix"
		buf := bytes.Repeat([]byte{0xaa}, 40)
		b, err := json.MarshalAppend(append(buf[:0], prefix...), v)
		if !bytes.HasPrefix(b, []byte(prefix)) || err != nil && len(b) != len(prefix) {
			panic("MarshalAppend does not return what it was given")
		}
		if err != nil {
			return nil, err
		}
		return b[len(prefix):], nil
	},
	func(v any, prefix, indent string) ([]byte, error) {
		var w, out bytes.Buffer
		if err := json.MarshalWrite(&w, v); err != nil {
			if w.Len() > 0 {
				panic("MarshalWrite writes before an error")
			}
			return nil, err
		}
		err := json.Indent(&out, w.Bytes(), prefix, indent)
		return out.Bytes(), err
	},
	func(data []byte, v any) error {
		if len(data)%2 == 0 {
			return cause(json.UnmarshalWith(data, v), len(data))
		}
		return cause(json.UnmarshalRead(iotest.HalfReader(bytes.NewReader(data)), v), len(data))
	},
	subject.Valid, subject.Compact, subject.Indent, subject.HTMLEscape, subject.NewDecoder, subject.NewEncoder,
}

// cause returns encoding/json's error within the one that gives the location of
// it, and panics when the place is not in the text.
func cause(err error, size int) error {
	e, ok := err.(*weft.Error)
	if !ok {
		return err
	}
	if e.Offset < 0 || e.Offset > int64(size) {
		panic(fmt.Sprintf("offset %d of a text of %d bytes: %v", e.Offset, size, err))
	}
	err = e.Unwrap()
	if reflect.TypeOf(err).PkgPath() == weftPath { // drops a prefix that would stand twice
		err = errors.Unwrap(err)
	}
	return err
}
