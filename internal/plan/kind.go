package plan

import (
	"reflect"
	"slices"

	"github.com/weftcodec/weft/internal/wire"
)

// Kind says what a type is to a format. A named type has the kind of its
// underlying type, except for the few exact types that have kinds of their
// own (Time, Duration, Number, Raw).
type Kind uint8

// The kinds.
const (
	Invalid     Kind = iota
	Bool             // bool
	Int              // int
	Int8             // int8
	Int16            // int16
	Int32            // int32
	Int64            // int64
	Uint             // uint
	Uint8            // uint8
	Uint16           // uint16
	Uint32           // uint32
	Uint64           // uint64
	Uintptr          // uintptr
	Float32          // float32
	Float64          // float64
	Complex64        // complex64
	Complex128       // complex128
	String           // string
	Bytes            // slice of bytes whose element type marshals as a plain byte
	ByteArray        // array of such bytes
	Time             // time.Time, the exact type
	Duration         // time.Duration, the exact type
	Number           // encoding/json.Number, the exact type: a string that holds a number
	Raw              // a slice of bytes that holds one encoded value; Type.RawFormat names its format
	Any              // interface without methods
	Interface        // interface with methods
	Pointer          // *T
	Slice            // []T
	Array            // [N]T
	Map              // map[K]T
	Struct           // struct
	Option           // an optional or nullable value; see [OptionInfo]
	Unsupported      // chan, func, unsafe.Pointer
	Coded            // a type with a codec: Type.Codec
	ByteSlice        // of [Type.Lower]: Bytes of a type with a name of its own

	// Kinds is the first number of the kinds that a format has for itself: what else there is that it writes or reads.
	Kinds
)

// kindNames are the names of the kinds in their order.
const kindNames = "invalid bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr " +
	"float32 float64 complex64 complex128 string bytes bytearray time duration number raw " +
	"any interface pointer slice array map struct option unsupported coded byteslice"

// String returns the name of k in lower case.
func (k Kind) String() string {
	if k >= Kinds {
		k = Invalid
	}
	return wire.Word(kindNames, int(k))
}

// Lower returns the kinds by which a format marshals and unmarshals values of n. Its hooks have the kinds from hooks
// on, and coded is that for a type with a codec. What is encoded in another format is bytes.
func (n *Type) Lower(format string, hooks, coded Kind) (marshal, unmarshal Kind) {
	k := n.Kind
	switch {
	case k == Duration:
		k = Int64
	case k == Bytes && n.Rtype.Elem() != reflect.TypeFor[byte]():
		k = ByteSlice
	case k == Raw && n.RawFormat != format:
		k = Bytes
	case k == Coded:
		k = coded
	}
	marshal, unmarshal = k, k
	if k == Time || k == Pointer || k == Interface || k == Raw {
		return k, k
	}
	if h := n.Hooks.MarshalAddr.First(); h >= 0 {
		marshal = hooks + Kind(h)
	}
	if h := n.Hooks.UnmarshalAddr.First(); h >= 0 {
		unmarshal = hooks + Kind(h)
	}
	return marshal, unmarshal
}

// MarshalsByAddr reports whether the memory of a value has parts that marshal themselves by a method on their address,
// so that a value in an interface has to be copied first.
func (n *Type) MarshalsByAddr() bool { return n.marshalsByAddr(map[*Type]bool{}) }

func (n *Type) marshalsByAddr(seen map[*Type]bool) bool {
	if seen[n] || n.Kind == Time || n.Kind == Pointer || n.Kind == Interface {
		return false
	}
	seen[n] = true
	switch {
	case n.Hooks.MarshalAddr != 0:
		return n.Hooks.MarshalAddr&^n.Hooks.Marshal != 0
	case n.Kind == Array:
		return n.Elem.marshalsByAddr(seen)
	case n.Kind == Option:
		return n.Option.Value.marshalsByAddr(seen)
	case n.Kind == Struct:
		return slices.ContainsFunc(n.Members(), func(f Field) bool { return f.Type.marshalsByAddr(seen) })
	}
	return false
}

// IsDistinct reports whether different values of k are written differently in every format that has keys of the kind:
// others have parts that are not written, methods or a zone, or may be of several types.
func (k Kind) IsDistinct() bool { return k <= String || k == ByteArray || k == Duration }

// IsDistinctKey reports whether the key k, from an interface, is written as no other key of which that holds is.
func IsDistinctKey(k any) bool {
	switch k.(type) {
	case string, int64, bool:
		return true
	}
	return false
}

// IsInt reports whether k is a signed integer kind.
func (k Kind) IsInt() bool { return Int <= k && k <= Int64 }

// IsUint reports whether k is an unsigned integer kind.
func (k Kind) IsUint() bool { return Uint <= k && k <= Uintptr }

// Integer returns the kind of an integer as reflect has it.
func (k Kind) Integer() reflect.Kind { return reflect.Int + reflect.Kind(k-Int) }

// IsFloat reports whether k is Float32 or Float64.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }

// Empty says when a value counts as empty for omitempty, as encoding/json's
// isEmptyValue does. It depends on the underlying Go type only: a time.Time
// is a struct and never empty, a [Number] is a string.
type Empty uint8

// When a value is empty.
const (
	EmptyNever  Empty = iota // structs, arrays with elements
	EmptyAlways              // arrays of length 0
	EmptyLen                 // strings and slices of length 0
	EmptyMap                 // maps of length 0
	EmptyZero                // booleans, numbers, nil pointers and nil interfaces
	EmptyOption              // an option that is absent (Val, Field) or null (Null)
)

// Zero says when a field is zero for omitzero, as encoding/json does.
type Zero uint8

// When a field is zero.
const (
	ZeroValue     Zero = iota // reflect's IsZero, which is mem's Type.IsZero
	ZeroMethod                // the value's own IsZero method
	ZeroAddr                  // the IsZero method of the value's address
	ZeroPointer               // a nil pointer, else the pointer's IsZero method
	ZeroInterface             // a nil interface or one holding a nil pointer, else the IsZero method
)

// KeyKind says how the keys of a map become member names, and back.
type KeyKind uint8

// The ways of a map key.
const (
	KeyNone   KeyKind = iota // impossible, see Type.Problems
	KeyString                // the string itself
	KeyInt                   // a signed integer in decimal
	KeyUint                  // an unsigned integer in decimal
	KeyText                  // encoding.TextMarshaler or encoding.TextUnmarshaler
	KeyOther                 // a value of Type.Key, where [Config.AnyKeys] allows it
	KeyCodec                 // Type.KeyCodec
)

var keyNames = [...]string{"none", "string", "int", "uint", "text", "other", "codec"}

// String returns the name of k in lower case.
func (k KeyKind) String() string { return keyNames[k] }
