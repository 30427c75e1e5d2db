// Package weft is the seam between Go types and wire formats: a type that
// implements [Marshaler] and [Unmarshaler] once is read and written by every
// weft format.
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
//	func (p *Point) UnmarshalWeft(d *weft.Decoder) error {
//		o := d.Object(pointFields)
//		for o.Next() {
//			switch o.Index() {
//			case 0:
//				p.X = d.Int()
//			case 1:
//				p.Y = d.Int()
//			}
//		}
//		return o.End()
//	}
//
// The same methods serve JSON, MessagePack and the formats to come: the table
// holds each format's encoding of the names.
package weft
