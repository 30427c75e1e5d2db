// Package tagged marshals Go values in the hashed-tag binary format and in the
// framed layout of columns, and back.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal], [MarshalAppend], [MarshalWrite] and [UnmarshalRead]: the hashed-tag format
//   - [MarshalFramed] and [UnmarshalFramed], [FrameEncoder] and [FrameDecoder]: frames of columns
//   - [OpenFrames]: reads any record or column of a file
//   - [AppendFrames] and [WriteFrames]: append to a file, and write a slice with several goroutines
//
// In the hashed-tag format 24 bits of a hash identify a member, and a table at the end of the message has the names.
// A message cannot hold two names with the same hash: compiling such a type, or writing such a map, returns a
// [CollisionError].
//
// Booleans and integers of at most 32 bits are written as 32-bit integers, larger integers as 64-bit integers, and
// unsigned integers beyond these as decimal text. NaN and infinities are written as null. Byte slices are base64 and
// times are RFC 3339, as in JSON. An interface receives numbers as int64, float64 or json.Number, and a boolean as an
// integer, because the format does not distinguish the two. The tags of fields have the key tagged, else weft, else
// json.
//
// A type controls its encoding by weft.Marshaler and weft.Unmarshaler, else by encoding.TextMarshaler and
// encoding.TextUnmarshaler.
//
// Every decoder checks lengths against the bytes present before it allocates, limits nesting, and neither modifies
// nor retains its input. Its errors are *weft.Error, with the offset and the path of the value.
package tagged
