package jsontext

import "strconv"

// Kind is the kind of a token: the byte that a token of the kind begins with, '0' for every number.
type Kind byte

// The kinds of tokens.
const (
	KindInvalid     Kind = 0   // no token
	KindNull        Kind = 'n' // null
	KindFalse       Kind = 'f' // false
	KindTrue        Kind = 't' // true
	KindString      Kind = '"' // a string
	KindNumber      Kind = '0' // a number
	KindBeginObject Kind = '{' // the beginning of an object
	KindEndObject   Kind = '}' // the end of an object
	KindBeginArray  Kind = '[' // the beginning of an array
	KindEndArray    Kind = ']' // the end of an array
)

// String returns a description of the kind; a bracket is itself.
func (k Kind) String() string {
	switch k {
	case KindInvalid:
		return "invalid"
	case KindNull:
		return "null"
	case KindFalse:
		return "false"
	case KindTrue:
		return "true"
	case KindString:
		return "string"
	case KindNumber:
		return "number"
	case KindBeginObject, KindEndObject, KindBeginArray, KindEndArray:
		return string(rune(k))
	}
	return "<invalid jsontext.Kind: " + strconv.QuoteRune(rune(k)) + ">"
}

// kinds is the kind of a token by its first byte.
var kinds = [256]Kind{
	'n': KindNull, 'f': KindFalse, 't': KindTrue, '"': KindString,
	'{': KindBeginObject, '}': KindEndObject, '[': KindBeginArray, ']': KindEndArray,
	'-': KindNumber, '0': KindNumber, '1': KindNumber, '2': KindNumber, '3': KindNumber, '4': KindNumber,
	'5': KindNumber, '6': KindNumber, '7': KindNumber, '8': KindNumber, '9': KindNumber,
}

// ']' and '}' differ in this bit alone.
const (
	closesBit = 0x20
	closer    = '}'
)

// closes reports whether c ends an array or an object.
func closes(c byte) bool { return c|closesBit == closer }
