// Package jsontext reads and writes JSON as text: tokens and raw values, without Go types and
// without reflection. Names and meanings are those of encoding/json/jsontext.
//
// A [Token] is a literal, a string, a number or one of the four brackets; commas and colons follow
// from the grammar and have no token. A [Value] is the text of a whole value. A [Decoder] reads a
// stream of tokens and values, an [Encoder] writes one, and both hold it to the grammar: calls that
// read or write tokens and calls that read or write values may alternate.
//
// Decode and encode are about the grammar of JSON. What a value means to a Go type, marshal and
// unmarshal, is the matter of the package above this one; see its MarshalEncode and UnmarshalDecode.
//
// By default the text is held to I-JSON (RFC 7493): UTF-8 throughout, escapes that are characters,
// and names that are unique in their object. [AllowInvalidUTF8] and [AllowDuplicateNames] step back
// to RFC 8259, [Value.Canonicalize] goes on to RFC 8785. Streams may be values one after another,
// one to a line (NDJSON), or text sequences (RFC 7464, see [TextSequence]).
//
// A Decoder holds a window of its input, at most 64 KiB unless one token or one raw value is longer
// than that, and, unless duplicate names are allowed, the names of the objects that are open.
package jsontext
