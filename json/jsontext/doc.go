// Package jsontext reads and writes JSON as text: tokens and raw values, without Go types and
// without reflection. Names and meanings are those of encoding/json/jsontext.
//
// The names that matter:
//
//   - [Decoder] and [Encoder]: a stream of tokens and values, checked against the grammar
//   - [Token]: a literal, a string, a number or one of the four brackets; commas and colons are not tokens
//   - [Value]: the text of a whole value, with [Value.IsValid], [Value.Format] and [Value.Canonicalize]
//   - [AppendQuote] and [AppendUnquote]: quote and unquote one string
//   - [Pointer]: the path to a value (RFC 6901)
//
// Calls that read or write tokens and calls that read or write values may alternate. Decoding and encoding concern
// the grammar of JSON. Package json, which builds on this one, converts values to Go types: see its MarshalEncode and
// UnmarshalDecode.
//
// By default the text must be I-JSON (RFC 7493): it is UTF-8, escapes stand for characters, and names are unique
// within an object. [AllowInvalidUTF8] and [AllowDuplicateNames] permit the rest of RFC 8259; [Value.Canonicalize]
// writes RFC 8785. A stream consists of consecutive values, of one value per line (NDJSON), or of a text sequence
// (RFC 7464, see [TextSequence]).
//
// A Decoder holds at most 64 KiB of its input, unless one token or one raw value is longer, and the
// names of the open objects, unless duplicate names are allowed.
package jsontext
