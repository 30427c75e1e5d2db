// Package cboritem reads and writes CBOR (RFC 8949) without Go types and without reflection: as tokens, as
// encoded items, and as diagnostic notation (§8).
//
// The names that matter:
//
//   - [Decoder] and [Encoder]: a stream of tokens and items, a CBOR sequence (RFC 8742)
//   - [Token], made by [Int], [Text], [Array], [Map] and others, and appended by [AppendToken]
//   - [AppendDiagnostic] and [ParseDiagnostic]: convert items to text and back, byte for byte
//   - [Skip]: finds the end of an item
//
// A Token is the head of an item and, if it is a string of definite length, its bytes. The elements of an
// array, the keys and values of a map in turn, and the content of a tag follow as tokens; an item of
// indefinite length ends with a token of [KindBreak]. A Decoder returns, and an Encoder writes, only what is
// well-formed. Diagnostic notation marks a number or length that is not in its shortest form with an
// encoding indicator.
//
// Package cbor, which builds on this one, converts items to Go types.
package cboritem
