package openapi

import "strings"

// Schema is a Schema Object: a type of JSON values as the document describes
// it, in the vocabulary of JSON Schema 2020-12 whatever the document's version.
type Schema struct {
	Pos  Pos
	Node *Node
	// Pointer is where the schema stands, such as
	// "#/components/schemas/Pet/properties/tag". In another file than the
	// document it begins with that file's path.
	Pointer string
	// Name is the schema's name among components.schemas, definitions or
	// $defs, "" for an inline schema.
	Name string

	// Ref is the reference as the document writes it, "" for none, and Target
	// the schema it names. Target is nil only when the reference is broken,
	// which is an error. In 3.0 the constraints beside a $ref are dropped with
	// a warning, save nullable; in 3.1 they hold as well.
	Ref    string
	RefPos Pos
	Target *Schema

	// Boolean is set for the schemas true and false of 3.1.
	Boolean *bool

	// Types are the types allowed, TypeNull among them when null is allowed by
	// name; empty: any.
	Types    Types
	TypesPos Pos
	// Nullable reports nullable: true in 3.0 or null among the types in 3.1.
	// With no Types it stands for "and null" beside a $ref or a composition.
	Nullable bool

	Format      string
	Title       string
	Description string
	Default     *Node
	Enum        []*Node // nil: not an enum
	EnumPos     Pos
	Const       *Node
	Example     *Node
	Examples    []*Node

	Properties            Map[Schema]
	PatternProperties     Map[Schema]
	PropertyNames         *Schema
	Required              []Text
	AdditionalProperties  *SchemaOrBool // nil: not written
	UnevaluatedProperties *SchemaOrBool
	DependentRequired     []Dependency
	DependentSchemas      Map[Schema]
	MinProperties         *Number
	MaxProperties         *Number

	Items            *Schema
	PrefixItems      []*Schema
	UnevaluatedItems *SchemaOrBool
	Contains         *Schema
	MinContains      *Number
	MaxContains      *Number
	MinItems         *Number
	MaxItems         *Number
	UniqueItems      bool

	AllOf, OneOf, AnyOf []*Schema
	Not                 *Schema
	If, Then, Else      *Schema
	Discriminator       *Discriminator

	// The exclusive bounds are bounds of their own: 3.0's minimum with
	// exclusiveMinimum: true is here an ExclusiveMinimum and no Minimum.
	Minimum, ExclusiveMinimum *Number
	Maximum, ExclusiveMaximum *Number
	MultipleOf                *Number

	MinLength  *Number
	MaxLength  *Number
	Pattern    string
	PatternPos Pos

	ContentEncoding  string
	ContentMediaType string
	ContentSchema    *Schema

	ReadOnly, WriteOnly, Deprecated bool

	ID            string // $id
	Anchor        string // $anchor
	DynamicRef    string // $dynamicRef; Ref and Target too are set by it, to what it means where it stands
	DynamicAnchor string // $dynamicAnchor
	Defs          Map[Schema]

	XML          *XML
	ExternalDocs *ExternalDocs
	Extensions   Extensions

	resource *Schema // the nearest one around with an $id, itself maybe; nil: none
}

// Resolve follows the references from s to a schema that is not a reference. What stands beside a
// $ref in the schemas passed is not considered.
func (s *Schema) Resolve() *Schema { return follow(s, func(s *Schema) *Schema { return s.Target }) }

// Requires reports whether name is in s.Required.
func (s *Schema) Requires(name string) bool {
	for i := range s.Required {
		if s.Required[i].Value == name {
			return true
		}
	}
	return false
}

// SchemaOrBool is the value of a keyword such as additionalProperties.
type SchemaOrBool struct {
	Pos    Pos
	Allow  bool    // Schema is nil: true or false; otherwise true
	Schema *Schema // nil: a boolean
}

// Dependency is a member of dependentRequired: when the property is there, the
// others must be.
type Dependency struct {
	Name     string
	Pos      Pos
	Required []Text
}

// Discriminator is a Discriminator Object.
type Discriminator struct {
	Pos            Pos
	PropertyName   string
	Mapping        []Mapping
	DefaultMapping *Mapping // 3.2
	Extensions     Extensions
}

// Mapping names the schema for a value of the discriminating property.
type Mapping struct {
	Value  string // of the property
	Pos    Pos
	Ref    string  // as written: a reference or a component's name
	Target *Schema // never nil: a mapping that names no schema is left out with a warning
}

// XML is an XML Object.
type XML struct {
	Pos        Pos
	Name       string
	Namespace  string
	Prefix     string
	NodeType   string
	Attribute  bool
	Wrapped    bool
	Extensions Extensions
}

// Number is a number of the document with its exact text.
type Number struct {
	Pos   Pos
	Text  string  // in JSON's grammar
	Float float64 // nearest, ±Inf beyond the range
	Int   int64   // when IsInt
	IsInt bool    // the value is an integer that fits an int64 (1e3 and 2.0 are)
}

// Types is a set of the types of JSON Schema.
type Types uint8

// The types.
const (
	TypeNull Types = 1 << iota
	TypeBoolean
	TypeInteger
	TypeNumber
	TypeString
	TypeArray
	TypeObject
)

var typeNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// Has reports whether every type of u is in t.
func (t Types) Has(u Types) bool { return t&u == u && u != 0 }

// Without returns t less the types of u.
func (t Types) Without(u Types) Types { return t &^ u }

// Single reports whether t holds exactly one type.
func (t Types) Single() bool { return t != 0 && t&(t-1) == 0 }

// String returns the names of the types, separated by "|", in a fixed order.
func (t Types) String() string {
	var b strings.Builder
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			if b.Len() > 0 {
				b.WriteByte('|')
			}
			b.WriteString(name)
		}
	}
	return b.String()
}
