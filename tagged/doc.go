// Package tagged marshals Go values in the hashed-tag binary format and in the
// framed layout of columns, and back.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal], [MarshalAppend], [MarshalWrite] and [UnmarshalRead]: the hashed-tag format
//   - [MarshalFramed] and [UnmarshalFramed], [FrameEncoder] and [FrameDecoder]: frames of columns
//   - [OpenFrames]: any record or column of a file
//   - [AppendFrames] and [WriteFrames]: files that grow, and slices written by several goroutines
//
// In the hashed-tag format 24 bits of a hash identify the name of a member, and one
// table at the end of the message has the names. A message cannot hold two names
// with the same hash: compiling such a type, or writing such a map, returns a
// [CollisionError].
//
// Booleans and integers of at most 32 bits are written as 32-bit integers, all
// others as 64-bit ones, and unsigned ones beyond these as decimal text. A float
// that is not a number or infinite is null. Byte slices are base64, times are RFC
// 3339, as in JSON. An interface receives numbers as int64, float64 or json.Number;
// a boolean is an integer there, because the format does not distinguish them. The
// tags of a struct's fields are tagged, else weft, else json.
//
// A type that marshals itself does so by weft.Marshaler and weft.Unmarshaler, else
// encoding.TextMarshaler and encoding.TextUnmarshaler.
//
// Every decoder checks lengths against the bytes present before it allocates,
// limits nesting, and neither writes to its input nor keeps it. Its errors are
// *weft.Error, with the offset and the path of the value.
package tagged
