// Package setting has the flags of options, which the root and the formats share. Users of the library have the
// options themselves.
package setting

import "reflect"

// Flags that every format understands. They are weft.Flags.
const (
	RejectUnknown = 1 << iota
	RejectDuplicates
	Deterministic
	AliasInput
	StructAsArray
	AllowUnknown // RejectUnknown(false): even where the type forbids them
	Unchecked
	Request
	Response
	AllViolations
	FoldNames
	Scratch // nobody looks at what a call of Unmarshal has read into after an error
)

// Flags of what is left out when structs are written: the highest of the root.
const (
	OmitNull = 1 << (iota + DialectShift)
	OmitEmpty
	WriteEmpty

	Dialect      = OmitNull | OmitEmpty | WriteEmpty // those that change what Go types are on the wire
	DialectShift = 13
)

// OfTypes are the flags that types with rules obey.
const OfTypes = RejectUnknown | AllowUnknown | RejectDuplicates | Unchecked | Request | Response

// Bases of the flags of each format.
const (
	JSON    = 1 << 16 // 24 bits
	Msgpack = 1 << 40 // 12 bits
	CBOR    = 1 << 52 // 12 bits
)

// Flags of JSON that other packages know.
const (
	JSONEscapeHTML = JSON      // escape <, >, &, U+2028 and U+2029: the first of JSON
	JSONExactNames = JSON << 6 // the opposite of FoldNames, as in JSON names are folded by default
	JSONExtras     = JSON << 8 // there are settings that are not flags

	JSONStringNumbers = JSON << 5 // numbers are strings
)

// Tag is what the tag of a field says of its value, which is at that depth of a coder. TagKey is its key.
type Tag struct {
	Depth  int
	Quoted bool   // the option string
	Format string // of the option format
}

// TagKey is the key of a [Tag].
type TagKey struct{}

// Legacy is a set of what encoding/json does and encoding/json/v2 does not. Each is the key of an option of package
// json/legacy, whose value is a bool.
type Legacy uint16

// What encoding/json does.
const (
	LegacyMethods Legacy = 1 << iota
	LegacyByteArrays
	LegacyBytes
	LegacyDurations
	LegacyDelimiters
	LegacyMerge
	LegacyOmitEmpty
	LegacyParseBytes
	LegacyParseTimes
	LegacyErrors
	LegacyStrings
	LegacyLengths

	LegacyEnd
)

// DefaultMaxDepth is the nesting that encoders and decoders accept unless weft.MaxDepth says otherwise.
const DefaultMaxDepth = 10000

// The Syntax of a weft.EncoderConfig: the grammars an Encoder writes by itself.
const (
	SyntaxOther uint8 = iota // none: the format writes through a weft.Writer
	SyntaxJSON
	SyntaxMsgpack
)

// The kinds of optional values.
const (
	OptionNone     uint8 = iota // no optional value
	OptionNullable              // null or a value
	OptionOptional              // absent or a value
	OptionField                 // absent, null or a value
)

// OptionValue is implemented by optional values, those of package opt: it is how a format recognises one without
// knowing its package.
type OptionValue interface {
	// OptionKind returns which kind of optional value the type is.
	OptionKind() uint8
}

// HasNull reports whether t, the type of an optional value, has a null of its own: nil, or an option without a value.
func HasNull(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		_, ok := reflect.Zero(t).Interface().(OptionValue)
		return ok && !t.Field(0).Anonymous
	}
	return false
}
