// Package cboritem reads and writes CBOR (RFC 8949) as what it is made of: tokens and encoded items,
// without Go types and without reflection, and as diagnostic notation (§8).
//
// A [Token] is the head of an item and, of a string of definite length, its bytes. The elements of an
// array, the keys and values of a map in turn, and the content of a tag follow as tokens; what is of
// indefinite length ends with a token of [KindBreak]. A [Decoder] reads a stream of tokens and whole
// items, an [Encoder] writes one, and both hold it to the grammar: what they read and write is
// well-formed. A stream is a CBOR sequence (RFC 8742): items one after another.
//
// [AppendDiagnostic] writes an item as text, [ParseDiagnostic] reads that, each byte unchanged: what is
// not in its shortest form has an encoding indicator.
//
// What a value means to a Go type, marshal and unmarshal, is the matter of the package above this one.
package cboritem
