// Package tagged marshals Go values in the hashed-tag binary format, and back,
// and in the framed layout of columns.
//
// In the hashed-tag format a member is named by 24 bits of a hash of its name,
// and one table at the end of the message has the names. Two names with the same
// hash cannot stand in one message: a [CollisionError] says so when a type is
// compiled, or while a map is written.
//
// Booleans and integers of at most 32 bits are written as 32-bit integers, all
// others as 64-bit ones, and unsigned ones beyond these as decimal text. A float
// that is not a number or infinite is null. Byte slices are base64, times are
// RFC 3339, as in JSON. Into an interface numbers are read as int64, float64 or
// json.Number; a boolean is an integer there, as the format does not tell them
// apart. The tags of a struct's fields are tagged, else weft, else json.
//
// A type that marshals itself does so by weft.Marshaler and weft.Unmarshaler,
// else encoding.TextMarshaler and encoding.TextUnmarshaler.
//
// Every decoder checks lengths against the bytes that are there before it
// allocates, limits nesting, and neither writes to its input nor keeps it. An
// error from it is a *weft.Error with the offset and the path of the value.
package tagged
