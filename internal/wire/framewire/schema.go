package framewire

import (
	"strings"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The kinds of the nodes of a schema.
const (
	Bool = 1 + iota
	Int
	Uint
	Float32
	Float64
	String
	Bytes
	Time
	Number
	Struct
	List
	Map
	Message // a message of the hashed-tag format
	Dynamic // any value, with columns found for each frame
	Kinds

	nullable = 0x80 // added where a value may be absent or null
)

var kindNames = [Kinds]string{
	"", "bool", "int", "uint", "float32", "float64", "string", "bytes", "time", "number",
	"struct", "list", "map", "message", "any",
}

// Schema is a node of the tree that says what columns there are.
type Schema struct {
	Kind     byte
	Nullable bool
	Names    []string  // of a struct
	Nodes    []*Schema // fields of struct, element of list, key and value of map
}

// Append appends the stored form.
func (s *Schema) Append(b []byte) []byte {
	k := s.Kind
	if s.Nullable {
		k |= nullable
	}
	b = append(b, k)
	if s.Kind == Struct {
		b = tagwire.AppendUvarint(b, uint64(len(s.Nodes)))
	}
	for i, n := range s.Nodes {
		if s.Kind == Struct {
			b = append(tagwire.AppendUvarint(b, uint64(len(s.Names[i]))), s.Names[i]...)
		}
		b = n.Append(b)
	}
	return b
}

// maxSchemaDepth bounds the nesting of schemas.
const maxSchemaDepth = 200

// parseSchema reads a node and returns the index after it, -1 if there is none.
func parseSchema(b []byte, i, depth int) (*Schema, int) {
	if i >= len(b) || depth > maxSchemaDepth {
		return nil, -1
	}
	s := &Schema{Kind: b[i] &^ nullable, Nullable: b[i]&nullable != 0}
	i++
	n := uint64(0)
	switch s.Kind {
	case Struct:
		if n, i = tagwire.Uvarint(b, i, len(b)); i < 0 || n > uint64(len(b)-i)/2 {
			return nil, -1
		}
	case List:
		n = 1
	case Map:
		n = 2
	default:
		if s.Kind == 0 || s.Kind >= Kinds {
			return nil, -1
		}
	}
	seen := make(map[string]bool)
	for range n {
		if s.Kind == Struct {
			start, stop := tagwire.Span(b, i, len(b))
			if stop < 0 {
				return nil, -1
			}
			name := string(b[start:stop])
			if seen[name] {
				return nil, -1
			}
			seen[name] = true
			s.Names = append(s.Names, name)
			i = stop
		}
		var c *Schema
		if c, i = parseSchema(b, i, depth+1); i < 0 {
			return nil, -1
		}
		s.Nodes = append(s.Nodes, c)
	}
	if s.Kind == Map &&
		(s.Nodes[0].Nullable || s.Nodes[0].Kind != String && s.Nodes[0].Kind != Int && s.Nodes[0].Kind != Uint) {
		return nil, -1
	}
	return s, i
}

// version returns the version of the layout that the schema needs.
func (s *Schema) version() byte {
	if s.Kind == Dynamic {
		return 2
	}
	for _, n := range s.Nodes {
		if n.version() == 2 {
			return 2
		}
	}
	return 1
}

// String describes the schema: "struct{name string; tags []string?}".
func (s *Schema) String() string {
	var b strings.Builder
	s.print(&b)
	return b.String()
}

func (s *Schema) print(b *strings.Builder) {
	switch s.Kind {
	case Struct:
		b.WriteString("struct{")
		for i, n := range s.Nodes {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(s.Names[i] + " ")
			n.print(b)
		}
		b.WriteString("}")
	case List:
		b.WriteString("[]")
		s.Nodes[0].print(b)
	case Map:
		b.WriteString("map[")
		s.Nodes[0].print(b)
		b.WriteString("]")
		s.Nodes[1].print(b)
	default:
		b.WriteString(kindNames[s.Kind])
	}
	if s.Nullable {
		b.WriteString("?")
	}
}
