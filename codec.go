package weft

// Marshaler is a type that writes itself through an [Encoder], in whatever
// format the encoder writes. MarshalWeft must write exactly one value.
type Marshaler interface {
	MarshalWeft(e *Encoder) error
}

// Unmarshaler is a type that reads itself from a [Decoder], in whatever format
// the decoder reads. UnmarshalWeft must read exactly one value.
type Unmarshaler interface {
	UnmarshalWeft(d *Decoder) error
}

// Indexes that are no member: results of [Reader.Member] and
// [Reader.BeginObject] beside the indexes of a [Fields] table.
const (
	End     = -1 // the object is closed
	Unknown = -2 // a member whose name is not in the table
)

// OptionKind says which kind of optional value a type is. A type reports it by
// a method `OptionKind() weft.OptionKind`, as the types of package opt do.
type OptionKind uint8

// The kinds of optional values.
const (
	OptionNone     OptionKind = iota // no optional value
	OptionNullable                   // null or a value
	OptionOptional                   // absent or a value
	OptionField                      // absent, null or a value
)

// OptionValue is implemented by optional values: it is how a format recognises
// one without knowing its package.
type OptionValue interface {
	OptionKind() OptionKind
}
