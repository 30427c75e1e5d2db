// Package cbor marshals Go values as CBOR (RFC 8949), and back.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal], [MarshalAppend], [MarshalWrite] and [UnmarshalRead]
//   - [Encoder] and [Decoder]: CBOR sequences (RFC 8742)
//   - [Mode], with [Core]: deterministic encoding, and checking it
//   - [Tags] and [TagOf]: types with tags; [Tag] and [RawTag] hold any
//   - [Raw]: a value that is decoded later
//
// Fields are named by the tag cbor, else weft, else json. The option keyasint writes a name that is an
// integer as one, as COSE does; the blank field _ with the option array, or toarray, lays a struct out as
// an array of its fields. A type writes and reads itself by the methods of [weft.Marshaler] and
// [weft.Unmarshaler], those of [Marshaler] and [Unmarshaler], or those of package encoding. The methods of
// encoding/json are not called: a type that has only those is written and read by its fields.
//
// Values are written in their preferred form (§4.1): the shortest heads and floating-point numbers, of
// definite length. With a [Mode], equal values are equal bytes, and a reader refuses everything else in the
// same pass. By default everything that is valid is read.
//
// A time.Time is written as seconds since 1970 with tag 1, or with tag 0 as text if it has a fraction of a
// second; both are read, and so are dates of RFC 8943. A big.Int is an integer or a bignum. Tags that mean
// nothing to the Go type are skipped.
//
// Package cboritem is the layer below: tokens and diagnostic notation.
package cbor
