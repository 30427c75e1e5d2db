package ir

import (
	"cmp"
	"iter"
	"strings"
)

// Kind is the kind of a [Type].
type Kind uint8

// The kinds of types.
const (
	Any  Kind = iota + 1
	Null      // only null: an empty struct
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	String
	Bytes
	Time
	Date
	Slice
	Map      // keys are strings
	NullType // slim.Null of Elem: an element that may be null
	Ref      // a declared type
	Foreign  // a type of another package: Go

	JSONText  // a string that holds the JSON text of an Elem
	JSONBytes // bytes that do
)

// IsContent reports whether values of k hold the JSON text of another type.
func (k Kind) IsContent() bool { return k == JSONText || k == JSONBytes }

// IsInt reports whether k is a signed integer.
func (k Kind) IsInt() bool { return k >= Int8 && k <= Int64 }

// IsUint reports whether k is an unsigned integer.
func (k Kind) IsUint() bool { return k >= Uint8 && k <= Uint64 }

// IsFloat reports whether k is a floating-point number.
func (k Kind) IsFloat() bool { return k == Float32 || k == Float64 }

// Type is the use of a type.
type Type struct {
	Kind   Kind
	Elem   *Type    // Slice, Map, NullType, JSONText, JSONBytes
	Decl   *Decl    // Ref
	Go     string   // Foreign: as the package's files write it
	Wire   Kind     // Foreign: what its values are on the wire; 0: anything
	Check  []string // what must hold here beside what the type says: rules, such as minLength=1
	Schema string   // variable of the JSON Schema for what else must hold here, "" for none
}

// Checked reports whether more must hold here than the type says.
func (t *Type) Checked() bool { return t.Check != nil || t.Schema != "" }

// Const returns the only value, if there is one.
func (t *Type) Const() (text string, ok bool) {
	for _, rule := range t.Check {
		if text, ok = strings.CutPrefix(rule, "const="); ok {
			return text, true
		}
	}
	return "", false
}

// Aliases returns t and what it is another name of, one by one.
func (t *Type) Aliases() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		for n := 0; yield(t) && t.IsAlias(); n++ {
			if t = cmp.Or(t.Decl.Stands, t.Decl.Type); n == 100 {
				t = &Type{Kind: Any} // it is its own
			}
		}
	}
}

// Under returns t with aliases followed.
func (t *Type) Under() *Type {
	for t = range t.Aliases() {
	}
	return t
}

// IsAlias reports whether t is another name of a type.
func (t *Type) IsAlias() bool {
	return t.Kind == Ref && (t.Decl.Kind == Alias || t.Decl.Stands != nil)
}

// Apart reports whether t is an alias that is printed as a type of its own, which
// its uses are not of.
func (t *Type) Apart() bool {
	for a := range t.Aliases() {
		if a.Kind == Ref && a.Decl.Stands != nil {
			return true
		}
	}
	return false
}

// Base returns t with aliases, defined types and texts followed: what its values
// are in Go.
func (t *Type) Base() *Type {
	for range 100 {
		switch {
		case t.Kind.IsContent():
			t = t.Elem
		case t.Kind == Ref && (t.Decl.Kind == Alias || t.Decl.Kind == Defined):
			t = t.Decl.Type
		default:
			return t
		}
	}
	return &Type{Kind: Any}
}

// IsStruct reports whether t is a declared struct.
func (t *Type) IsStruct() bool { return t.Kind == Ref && t.Decl.Kind == Struct }

// IsUnion reports whether t is a declared union.
func (t *Type) IsUnion() bool { return t.Kind == Ref && t.Decl.Kind == Union }

// Schemas returns the variables of the schemas that values of t are checked by
// where t is used: its own and those of the aliases it is.
func (t *Type) Schemas() (out []string) {
	for a := range t.Aliases() {
		if a.Schema != "" {
			out = append(out, a.Schema)
		}
	}
	return out
}

var kindNames = [...]string{
	Any: "any", Null: "any", Bool: "bool", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64", Float32: "float32", Float64: "float64",
	String: "string", Bytes: "[]byte",
}

// String returns the Go type of the scalar kinds, "" for the others.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}
