package weft

import (
	"io"
	"reflect"

	"github.com/weftcodec/weft/backend"
)

// Marshaler is implemented by types that write themselves to an [Encoder], in any format. MarshalWeft must write
// exactly one value.
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
	// MarshalAppend appends the encoding of v to b. If there is an error, it returns b unchanged.
	MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error)
	// MarshalWrite writes the encoding of v to w.
	MarshalWrite(w io.Writer, v any, opts ...Options) error
	// Unmarshal reads the one value of b into the variable v points to.
	Unmarshal(b []byte, v any, opts ...Options) error
	// UnmarshalRead reads the one value of r, up to its end, into the variable
	// v points to.
	UnmarshalRead(r io.Reader, v any, opts ...Options) error
}

// StreamFormat is a Format that can also write consecutive values to a stream and read them one by one. It can do the
// same with the elements of an array.
type StreamFormat interface {
	Format
	// NewEncoder returns an encoder that writes to w.
	NewEncoder(w io.Writer, opts ...Options) StreamEncoder
	// NewDecoder returns a decoder that reads from r. It reads ahead.
	NewDecoder(r io.Reader, opts ...Options) StreamDecoder

	// MarshalStream writes to w what m writes, in pieces if the format can do so. If there is an error, a part may
	// already have been written.
	MarshalStream(w io.Writer, m Marshaler, opts ...Options) error
	// NewArrayEncoder returns an encoder for the elements, of type t, of one array. n is their number, or negative if
	// it is not known. Its Encode takes pointers, and its Close ends the array. It returns nil if MarshalStream must
	// be used instead.
	NewArrayEncoder(w io.Writer, t reflect.Type, n int, opts ...Options) StreamEncoder
	// NewArrayDecoder returns a decoder for the elements of the array that r contains. Its Decode returns io.EOF at
	// the end of the array and of r. It returns nil, and reads nothing, if the format reads arrays as a whole.
	NewArrayDecoder(r io.Reader, opts ...Options) StreamDecoder
}

// StreamEncoder writes values one after another.
type StreamEncoder interface {
	// Encode writes the next value. A format may buffer it. After an error of the stream Encode writes nothing more.
	Encode(v any) error
	// Close writes buffered values and the end of the stream, if the format has one. It does not close the underlying
	// writer.
	Close() error
}

// StreamDecoder reads values one after another.
type StreamDecoder interface {
	// Decode reads the next value into the variable v points to. At the end of
	// the stream it returns io.EOF.
	Decode(v any) error
	// Close releases what the decoder holds. It does not close the underlying reader.
	Close() error
}
