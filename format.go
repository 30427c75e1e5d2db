package weft

import (
	"io"
	"reflect"

	"github.com/weftcodec/weft/backend"
)

// Marshaler is a type that writes itself through an [Encoder], in whatever
// format the encoder writes. MarshalWeft must write exactly one value.
type Marshaler interface {
	MarshalWeft(e *Encoder) error
}

// Unmarshaler is a type that reads itself from a [Decoder], in whatever format
// the decoder reads. UnmarshalWeft must read exactly one value.
type Unmarshaler interface {
	UnmarshalWeft(d *Decoder) error
}

// Kind is the kind of a value on the wire. Its String is the lower-case name of the kind, and
// IsNumber reports whether values of the kind are numbers.
type Kind = backend.Kind

// The kinds of values. A format with textual numbers reports [KindNumber], one
// with typed numbers reports [KindInt], [KindUint] or [KindFloat].
const (
	KindInvalid = backend.KindInvalid // no value: the end of the input or an error
	KindNull    = backend.KindNull
	KindBool    = backend.KindBool
	KindInt     = backend.KindInt    // a signed integer
	KindUint    = backend.KindUint   // an unsigned integer
	KindFloat   = backend.KindFloat  // a binary floating-point number
	KindNumber  = backend.KindNumber // a number as text
	KindString  = backend.KindString
	KindBytes   = backend.KindBytes
	KindTime    = backend.KindTime
	KindArray   = backend.KindArray
	KindObject  = backend.KindObject
	KindExt     = backend.KindExt // an extension of the format
)

// Format is a wire format as a value, for programs that choose one at run time.
// Each format package has one, such as json.Format.
type Format interface {
	// Name returns the lower-case name of the format, such as "json".
	Name() string
	// MarshalAppend appends the encoding of v to b. On an error it returns b as
	// it was.
	MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error)
	// MarshalWrite writes the encoding of v to w.
	MarshalWrite(w io.Writer, v any, opts ...Options) error
	// Unmarshal reads the one value of b into the variable v points to.
	Unmarshal(b []byte, v any, opts ...Options) error
	// UnmarshalRead reads the one value of r, up to its end, into the variable
	// v points to.
	UnmarshalRead(r io.Reader, v any, opts ...Options) error
}

// StreamFormat is a Format that can also write values one after another to a
// stream, and read them one at a time, and the elements of an array in the same way.
type StreamFormat interface {
	Format
	// NewEncoder returns an encoder that writes to w.
	NewEncoder(w io.Writer, opts ...Options) StreamEncoder
	// NewDecoder returns a decoder that reads from r, and ahead.
	NewDecoder(r io.Reader, opts ...Options) StreamDecoder

	// MarshalStream writes what m writes to w as it comes, as far as the format
	// can. On an error part of it may have been written.
	MarshalStream(w io.Writer, m Marshaler, opts ...Options) error
	// NewArrayEncoder returns an encoder of the elements, of type t, of one array:
	// n of them, or a number not known when n < 0. Its Encode takes pointers, and
	// its Close ends the array. It returns nil where MarshalStream is the way.
	NewArrayEncoder(w io.Writer, t reflect.Type, n int, opts ...Options) StreamEncoder
	// NewArrayDecoder returns a decoder of the elements of the one array that r
	// holds. Its Decode returns io.EOF at the end of both. It returns nil, and
	// reads nothing, where arrays are read at once.
	NewArrayDecoder(r io.Reader, opts ...Options) StreamDecoder
}

// StreamEncoder writes values one after another.
type StreamEncoder interface {
	// Encode writes the next value. A format may keep it, encoded, until there
	// are more. After an error of the stream Encode writes no more.
	Encode(v any) error
	// Close writes what is kept and the end of the stream, as far as the format
	// has one. It does not close the writer below.
	Close() error
}

// StreamDecoder reads values one after another.
type StreamDecoder interface {
	// Decode reads the next value into the variable v points to. At the end of
	// the stream it returns io.EOF.
	Decode(v any) error
	// Close releases what the decoder holds. It does not close the reader below.
	Close() error
}
