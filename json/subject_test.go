package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"io"

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
	"encoding/json", stdjson.Marshal, stdjson.MarshalIndent, stdjson.Unmarshal, stdjson.Valid, stdjson.Compact, stdjson.Indent, stdjson.HTMLEscape,
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
