package plan

import (
	"strings"

	"reflect"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// Type is what formats need to know of a Go type. It is immutable once a
// [Set] has returned it, but that a struct finds out which members it has when
// somebody asks for them: a type may lead to thousands of which no value ever comes.
// Types that refer to each other share their nodes, so the graph may have cycles.
type Type struct {
	Rtype reflect.Type
	Mem   *mem.Type
	ID    int // dense within the Set: 0, 1, 2, …
	Kind  Kind
	Bits  uint8 // of integers, floats and complex numbers
	Named bool  // Rtype has a name (encoding/json looks for unmarshal methods on the address of named types only)

	Elem *Type // of Pointer, Slice, Array, Map, Bytes, ByteArray, Raw
	Len  int   // of Array, ByteArray

	Key          *Type   // of Map
	KeyMarshal   KeyKind // of Map: how encoding/json writes a key
	KeyUnmarshal KeyKind // of Map: how encoding/json reads a key

	// Codec is, of Coded, how values are marshaled and unmarshaled. The hook of
	// weft.Marshaler, which is the only one that such a type has, stands for it.
	Codec    *weft.Codec
	KeyCodec *weft.Codec  // of Map, where KeyMarshal is KeyCodec
	Union    *Union       // of Coded, where the type declares that it is one
	Wraps    reflect.Type // of Coded, where the type stands for a value of this one
	Parts    *Parts       // of Coded, where the type is an object of several parts

	Option    *OptionInfo // of Option
	RawFormat string      // of Raw: the format of the encoded value, such as "json"

	// Rules are what the type itself demands of its values, nil for nothing. Those of scalars
	// are among the Rules of the fields that hold them, too.
	Rules *Rules

	Closed bool // of Struct: members that no field names are errors

	// Strict tells that the type is, as its own rules say or since a strict type holds it: the type has plans of its
	// own for that. NoNull tells that it has no place for null either.
	Strict, NoNull bool

	owns   bool     // it is strict by its own rules
	body   bool     // of Struct: it has the members of parts
	filled mem.Ptr  // of Struct: the value whose fields are the defaults, nil for none
	within [2]*Type // the plans where a strict type holds it: without the word nullable, and with it

	Hooks Hooks
	Empty Empty

	Size       uintptr
	NoPointers bool // the collector finds no pointer in it
	ZeroBytes  bool // reflect's IsZero holds exactly where all bytes are zero

	set      *Set
	complete atomic.Bool // of Struct: the members are known
	fields   []Field
	rest     *Field
	problems []Problem

	folds atomic.Pointer[folded] // nil until a name is looked for so
}

// String returns the kind and the Go type.
func (n *Type) String() string { return n.Kind.String() + " " + n.Rtype.String() }

// Members returns the members of a Struct in encoding/json's order, dominance resolved, without [Type.Rest].
func (n *Type) Members() []Field {
	if n.Kind == Struct && !n.complete.Load() {
		n.set.complete(n)
	}
	return n.fields
}

// Rest returns the field of a Struct that holds the members which no field names, nil if there is none.
func (n *Type) Rest() *Field {
	n.Members()
	return n.rest
}

// Problems tells what is impossible in the type itself, its fields included, the types it refers to not: see
// [Set.Check].
func (n *Type) Problems() []Problem {
	n.Members()
	return n.problems
}

// Field is one member of a struct: a Go field, its own or promoted.
type Field struct {
	Name       string   // the member's name
	Alternates []string // other names accepted when unmarshaling (alias:NAME)
	Format     string   // format:NAME
	GoName     string
	Type       *Type
	Index      []int // as reflect's FieldByIndex takes it

	OmitEmpty bool
	OmitZero  bool
	Required  bool
	ReadOnly  bool // it is required, in responses alone
	WriteOnly bool // it is required, in requests alone
	Quoted    bool // the option string, where encoding/json obeys it: scalars and pointers to them
	Inline    bool // Rest only: declared by the option inline
	Unknown   bool // Rest only: declared by the option unknown
	Case      Case // case:ignore, case:strict

	Tagged bool // the name comes from a tag

	// Unexported marks an unexported Go field: an embedded struct, or a
	// pointer to one, that a tag names. No method is called on it, and when it
	// is a nil pointer it cannot be set. (encoding/json calls no unmarshal
	// method either, and panics where it meets a marshal method or has to set
	// the pointer.)
	Unexported bool

	Fills bool   // it becomes its default where the member is absent: see [Field.Fill]
	Zero  Zero   // what OmitZero tests; [Field.IsZero] does
	Rules *Rules // what the value must be, nil for anything

	names  *Rules   // of Rest: a pattern of keys, of the names that it takes, nil for all
	fixed  mem.Ptr  // the one value that it can have, which stands for zero where it is written
	yields []*Field // of the body of parts: those of the name that come first

	twice bool // while the plan is made: its struct is embedded more than once at its depth

	// The way to the field: for each of Embeds, go to its Offset, follow the
	// pointer there, and then go to Offset.
	Offset mem.Field
	Embeds []Embed

	Parent  reflect.Type // the struct type that declares the field
	Through []string     // the Go names of the embedded fields on the way: encoding/json puts them into error texts
}

// Needed reports whether the member must be there under flags, which say whether requests or responses are read, and
// whether anything is checked.
func (f *Field) Needed(flags uint64) bool {
	return flags&setting.Unchecked == 0 &&
		(f.Required || f.ReadOnly && flags&setting.Response != 0 || f.WriteOnly && flags&setting.Request != 0)
}

// Noted reports whether it matters to the struct that the member was not there.
func (f *Field) Noted() bool { return f.Fills || f.Required || f.ReadOnly || f.WriteOnly }

// Path names the field by its Go names from the outer struct on: "A.B".
func (f *Field) Path() string {
	if len(f.Through) == 0 {
		return f.GoName
	}
	return strings.Join(f.Through, ".") + "." + f.GoName
}

// Embed is an embedded pointer on the way to a promoted field.
type Embed struct {
	Offset mem.Field // from the struct reached so far to the pointer
	Elem   *mem.Type // what the pointer points at

	// Settable is false where the pointer's field is unexported. A nil pointer
	// there is an error when unmarshaling, in encoding/json's words
	// "json: cannot set embedded pointer to unexported struct: " and Elem.Rtype.
	Settable bool
}

// OptionInfo describes an option type: a struct of a value and its state.
type OptionInfo struct {
	Kind  uint8
	Value *Type     // type of the value
	Null  bool      // of setting.OptionOptional: null is a value, as the type of the value has a place for it
	V     mem.Field // where the value is
	// State is where the state is: a bool, true for a value; for setting.OptionField a uint8: 0 absent, 1 null, 2 a value.
	State mem.Field
}

// Problem is a reason why a type cannot be marshaled or unmarshaled.
type Problem struct {
	Rtype reflect.Type // the type, a struct where Field is set
	In    reflect.Type // the struct that declares the field, Rtype or one embedded in it
	// Field is the Go name of the field, with the embedded ones before it: "A.B"; empty if the type itself is at fault.
	Field  string
	Code   Code
	Text   string // what is wrong, lower case
	Silent bool   // encoding/json skips it without an error

	Marshal, Unmarshal bool // the directions that are impossible
}

// Code sorts problems.
type Code uint8

// The problems.
const (
	BadType     Code = iota // a kind that no format has: chan, func, unsafe.Pointer, complex numbers
	BadKey                  // a map key that cannot be a name
	BadName                 // a name in a tag that is not valid
	BadOption               // an option that does not exist or does not suit the field
	Conflict                // options that exclude each other, more than one catch-all
	SameName                // several fields of one name at one depth
	SelfPointer             // a pointer type that only points at itself
	Hidden                  // no field is exported, so that nothing is left of a value
	BadRule                 // a rule that does not exist, does not suit the type or says nothing
)
