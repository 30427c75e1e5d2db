// Package jsontext reads and writes JSON as text: tokens and raw values, without Go types and
// without reflection. Names and meanings are those of encoding/json/jsontext.
//
// The names that matter:
//
//   - [Decoder] and [Encoder]: a stream of tokens and values, checked against the grammar
//   - [Token]: a literal, a string, a number or one of the four brackets; commas and colons have none
//   - [Value]: the text of a whole value, with [Value.IsValid], [Value.Format] and [Value.Canonicalize]
//   - [AppendQuote] and [AppendUnquote]: one string
//   - [Pointer]: the path to a value (RFC 6901)
//
// Calls that read or write tokens and calls that read or write values may alternate. Decode and
// encode are about the grammar of JSON. Package json, above this one, is about what a value means to
// a Go type: see its MarshalEncode and UnmarshalDecode.
//
// By default the text must be I-JSON (RFC 7493): all of it is UTF-8, escapes are characters, and names
// are unique in their object. [AllowInvalidUTF8] and [AllowDuplicateNames] permit the rest of RFC 8259;
// [Value.Canonicalize] writes RFC 8785. Streams are values one after another, one to a line (NDJSON),
// or text sequences (RFC 7464, see [TextSequence]).
//
// A Decoder holds at most 64 KiB of its input, unless one token or one raw value is longer, and the
// names of the open objects, unless duplicate names are allowed.
package jsontext
