// Package cbor marshals Go values to CBOR (RFC 8949) and back, by the plan of their types, as the other
// formats of weft do.
//
// Fields are named by the tag cbor, else weft, else json. The option keyasint writes a name that is an
// integer as one, as COSE has it; the blank field _ with the option array, or toarray, lays a struct out as
// an array of its fields. A type writes and reads itself by the methods of [weft.Marshaler] and
// [weft.Unmarshaler], those of [Marshaler] and [Unmarshaler], or those of package encoding.
//
// What is written is in its preferred form (§4.1): the shortest heads and the shortest floating-point
// numbers, of definite length. A [Mode] says more: [Core] and the others write equal values as equal bytes,
// and refuse, when reading, what is not written so, in the one pass that reads. By default everything that
// is valid is read.
//
// A time.Time is written as seconds since 1970 with tag 1, one with a fraction of a second as text with tag
// 0; both are read, and dates of RFC 8943. A big.Int is an integer or a bignum. Tags that mean nothing to
// the Go type are skipped; [Tag] and [RawTag] keep them, and [Tags] gives types tags of their own.
//
// Package cboritem is the layer below, of tokens and diagnostic notation.
package cbor
