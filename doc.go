// Package weft connects Go types to wire formats: a type that implements [Marshaler] and [Unmarshaler] once is read
// and written by every weft format.
//
// The names that matter:
//
//   - [Marshaler] and [Unmarshaler]: a type defines its own wire form
//   - [Adapt], [CodecFor], [Union], in [Codecs]: others define the wire form of a type
//   - [Rules]: constraints on a value, which every format checks
//   - [Options] and [Join]: settings of every format
//   - [Error]: the offset and the path of an error
//   - [Transcode]: converts one format to another
//   - [ReadArray], [WriteArray]: lists that need not fit in memory
//
// A type declares the names of its members once, in a [Fields] table, and refers
// to them by index; the example of Marshaler has one. Types without methods need
// none of this: see packages json, msgpack, cbor and tagged.
package weft
