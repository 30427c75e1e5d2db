package backend

import "github.com/weftcodec/weft/internal/wire"

// Kind is the kind of a value on the wire.
type Kind uint8

// The kinds of values. A format with textual numbers reports [KindNumber], one
// with typed numbers reports [KindInt], [KindUint] or [KindFloat].
const (
	KindInvalid Kind = iota // no value: the end of the input or an error
	KindNull
	KindBool
	KindInt    // a signed integer
	KindUint   // an unsigned integer
	KindFloat  // a binary floating-point number
	KindNumber // a number as text
	KindString
	KindBytes
	KindTime
	KindArray
	KindObject
	KindExt // an extension of the format
)

// kindNames are the names of the kinds in their order.
const kindNames = "invalid null bool int uint float number string bytes time array object ext"

// String returns the lower-case name of the kind.
func (k Kind) String() string {
	if k > KindExt {
		return "unknown"
	}
	return wire.Word(kindNames, int(k))
}

// IsNumber reports whether values of the kind are numbers.
func (k Kind) IsNumber() bool { return k >= KindInt && k <= KindNumber }
