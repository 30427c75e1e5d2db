// Package weft is the seam between Go types and wire formats: a type that
// implements [Marshaler] and [Unmarshaler] once is read and written by every
// weft format.
//
// The names that matter:
//
//   - [Marshaler] and [Unmarshaler], with [NewFields]: a type defines its own
//     wire form
//   - [Adapt], [CodecFor] and [Union], in [Codecs]: the same for types of other
//     packages and for interfaces
//   - [Rules]: what a value must obey, which every format checks
//   - [Options] and [Join]: settings of every format
//   - [Error]: the offset and the path of a fault
//   - [Transcode], [ReadArray] and [WriteArray]: any format to another, and
//     lists that need not fit in memory
//
// A type declares the names of its members once, in a [Fields] table, and
// refers to them by index:
//
//	var pointFields = weft.NewFields("x", "y")
//
//	func (p Point) MarshalWeft(e *weft.Encoder) error {
//		o := e.Object(pointFields)
//		o.Int(0, p.X)
//		o.Int(1, p.Y)
//		return o.End()
//	}
//
// The same methods serve all formats: the table holds each format's encoding
// of the names. Types without methods need none of this; see packages json,
// msgpack, cbor and tagged.
package weft
