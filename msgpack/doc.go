// Package msgpack marshals Go values as MessagePack, and back.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal], [MarshalAppend], [MarshalWrite] and [UnmarshalRead]
//   - [Encoder] and [Decoder]: streams of values
//   - [Codecs], [ExtCodec] and [TypeCodec]: extensions, and types of other packages
//   - [AppendInt], [ReadInt] and their siblings: MessagePack without Go types
//   - [ReadToken], [Skip] and [Valid]: documents of unknown content
//
// A type needs no preparation: on first use it is compiled into a program that reads and writes it. A struct is
// written as a map, with names from its tags (key msgpack, else weft, else json), or as an array with the option
// [weft.StructAsArray] or, for one type, with a blank field:
//
//	type Point struct {
//		_    struct{} `msgpack:",array"`
//		X, Y int
//	}
//
// In an array a member without a value is nil, so an absent opt.Field is read back
// as null. An inlined map of further members is the last element.
//
// Integers are written in their shortest form and read into any Go type that can hold them; one that does not fit is
// an error. An integer can also be read as a floating-point number. Strings and byte slices are both read from str
// and from bin. A time.Time is written as the timestamp extension, and read in UTC from that or from an RFC 3339 str.
// A nil sets a pointer, slice, map or interface to nil and any other variable to its zero value. Complex numbers are
// arrays of two floats.
//
// A type that marshals itself is written by the first of these pairs that it implements: [Appender] and [ReaderFrom],
// weft.Marshaler and weft.Unmarshaler, encoding.BinaryMarshaler and encoding.BinaryUnmarshaler (as bin),
// encoding.TextMarshaler and encoding.TextUnmarshaler (as str).
//
// Every decoder checks lengths against the bytes present before it allocates, limits nesting, and neither modifies
// nor retains its input. Its errors are *weft.Error, with the offset and the path of the value.
package msgpack
