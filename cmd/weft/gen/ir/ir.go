// Package ir describes a Go package of types to be printed: structs, enums,
// unions and defined types, with what must hold for their values. It knows
// neither where the types come from nor what is printed for them.
package ir

// Package is a Go package to be printed.
type Package struct {
	Name    string
	Source  string // base name of what it is made from
	Title   string
	Decls   []*Decl // in the order in which they are printed
	Scope   *Scope  // every package-level name, for the names printers add
	Methods Methods
	Files   map[*Decl]string  // names, of declarations that do not stand in the first
	Imports map[string]string // packages of types that are not the package's own: path to name
	Schemas []*Schema         // the JSON Schemas for what types do not hold, by name
}

// Methods says which methods for encoding/json are printed.
type Methods struct {
	NoMarshal   bool // no MarshalJSON
	NoUnmarshal bool // no UnmarshalJSON
}

// Schema is a JSON Schema that is part of the package.
type Schema struct {
	Name, Text string
}

// DeclKind says what a [Decl] declares.
type DeclKind uint8

// The kinds of declarations.
const (
	Struct  DeclKind = iota + 1
	Enum             // a defined type with constants
	Defined          // a defined type, such as `type Pets []Pet`
	Alias            // another name of a type
	Union            // a struct that holds one of several variants
)

// Decl is a declared type.
type Decl struct {
	Kind   DeclKind
	Name   string // Go name, unique in the package
	Doc    string // what the source says about it
	Origin string // where it comes from, such as "#/components/schemas/Pet"

	// Schema is the variable of the JSON Schema for what else must hold, "" for
	// none. It is unset for an Alias.
	Schema string
	// CheckedBy is the name of the JSON Schema that values are checked by, "" for none: of Schema, and of what else no
	// field or element holds.
	CheckedBy string

	// Struct
	Fields []*Field // in declared order
	Extra  *Field   // map that collects members not in Fields; nil: none
	Closed bool     // a member that is not in Fields is an error
	Parts  *Parts   // the fields are parts of one object; nil: members

	// Defined, Alias, and the base of an Enum
	Type *Type
	// Stands is what the name of a Defined type that only values read by themselves are of stands for where it is used:
	// a type that cannot have the checks itself; nil: the type itself.
	Stands *Type

	// Enum
	Values []*Value
	Open   bool // other values are allowed too

	// Union
	Union *UnionInfo
}

// Parts says how a struct is several things at once, each of which is a field: a
// value of the anyOf of their schemas.
type Parts struct {
	Choice string // the name of the schema that tells which parts a value has
	Refuse bool   // members that are of none are errors
}

// Field is a field of a struct.
type Field struct {
	Name       string // Go name, unique in the struct and not a method's
	Wire       string // member name
	Doc        string
	Type       *Type // without its state and indirection
	Required   bool
	RequiredIn Direction // where it is required when Required is not set
	Nullable   bool
	Pointer    bool     // a struct that may be missing, or one of a cycle: held by a pointer
	Default    string   // JSON of the value that an absent member has, "" for none
	Patterns   []string // of an Extra: of which the name matches one; nil: any name
	Deprecated bool
}

// Direction is a way that values go.
type Direction uint8

// The directions.
const (
	Nowhere    Direction = iota
	InRequest            // the member is writeOnly
	InResponse           // the member is readOnly
)

// State says in which of the three states a field may be, beside having a
// value.
type State uint8

// The states.
const (
	Plain    State = iota // always a value
	Optional              // absent or a value
	Nullable              // null or a value
	Both                  // absent, null or a value
)

// State returns the state of the field. A value of any kind has a null of its
// own.
func (f *Field) State() State {
	null := f.Nullable && f.Type.Under().Kind != Any
	switch {
	case f.Required && !null:
		return Plain
	case f.Required:
		return Nullable
	case !null:
		return Optional
	}
	return Both
}

// Bare reports whether the field needs no option for its state: it may be missing
// in one way, which is what the zero value of its type stands for.
func (f *Field) Bare() bool {
	s := f.State()
	if s != Optional && s != Nullable {
		return false
	}
	base := f.Type.Base()
	return f.Pointer || base.Kind == Slice || base.Kind == Map || base.IsUnion()
}

// Value is a constant of an enum.
type Value struct {
	Name string // Go name, unique in the package
	Doc  string
	Text string // a string's value; a number or boolean as Go and JSON write it
}

// UnionInfo describes a union.
type UnionInfo struct {
	Interface string // Go name of the interface of the variants
	Marker    string // name of the method that marks variants
	Variants  []*Variant
	Exact     bool // oneOf: no more than one may match

	// Discriminator is the member whose string value decides between the
	// variants that are objects, "" for none.
	Discriminator string
	// ByValues is set when the values of the variants alone decide, whatever
	// values the variants allow the member.
	ByValues bool
}

// Variant is one of the types a union may hold.
type Variant struct {
	Decl *Decl // never an Alias; unions hold pointers to it
	// Values are those of the discriminator that choose the variant. It is written with the first.
	Values []string
	Other  bool // other values choose it, and that there is none
}
