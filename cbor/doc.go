// Package cbor marshals Go values as CBOR (RFC 8949), and back.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal], [MarshalAppend], [MarshalWrite] and [UnmarshalRead]
//   - [Encoder] and [Decoder]: CBOR sequences (RFC 8742)
//   - [Mode], such as [Core]: writes deterministic encoding, and checks it
//   - [Tags] and [TagOf]: types with tags; [Tag] and [RawTag] hold items with any tag
//   - [Raw]: a value that is decoded later
//
// Fields are named by the tag cbor, else weft, else json. The option keyasint writes a numeric name as an integer, as
// COSE does. The blank field _ with the option array, or toarray, selects the array layout for a struct. A type
// controls its encoding with the methods of [weft.Marshaler] and [weft.Unmarshaler], of [Marshaler] and
// [Unmarshaler], or of package encoding. The methods of encoding/json are not called: a type that has only those is
// written and read by its fields.
//
// Values are written in their preferred form (§4.1): the shortest heads and floating-point numbers, and definite
// lengths. With a [Mode], equal values have equal bytes, and a reader rejects everything else in the same pass. By
// default everything that is valid is read.
//
// A time.Time is written as seconds since 1970 with tag 1, or with tag 0 as text if it has a fraction of a
// second; both are read, and so are dates of RFC 8943. A big.Int is written as an integer or a bignum. Tags that have
// no meaning for the Go type are skipped.
//
// Package cboritem is the lower layer: tokens and diagnostic notation.
package cbor
