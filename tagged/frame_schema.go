package tagged

import (
	"errors"
	"strings"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The kinds of the nodes of a schema.
const (
	kBool = 1 + iota
	kInt
	kUint
	kFloat32
	kFloat64
	kString
	kBytes
	kTime
	kNumber
	kStruct
	kList
	kMap
	kMessage // a message of the hashed-tag format
	kDynamic // any value, with columns found for each frame
	numKinds

	kNullable = 0x80 // added where a value may be absent or null
)

var schemaKinds = [numKinds]string{
	"", "bool", "int", "uint", "float32", "float64", "string", "bytes", "time", "number", "struct", "list", "map", "message", "any",
}

// schema is a node of the tree that says what columns there are.
type schema struct {
	kind     byte
	nullable bool
	names    []string  // of struct
	nodes    []*schema // fields of struct, element of list, key and value of map
}

func (s *schema) append(b []byte) []byte {
	k := s.kind
	if s.nullable {
		k |= kNullable
	}
	b = append(b, k)
	if s.kind == kStruct {
		b = tagwire.AppendUvarint(b, uint64(len(s.nodes)))
	}
	for i, n := range s.nodes {
		if s.kind == kStruct {
			b = appendText(b, s.names[i])
		}
		b = n.append(b)
	}
	return b
}

var errSchema = errors.New("schema is not valid")

// maxSchemaDepth bounds the nesting of schemas.
const maxSchemaDepth = 200

// parseSchema reads a node and returns the index after it, -1 if there is none.
func parseSchema(b []byte, i, depth int) (*schema, int) {
	if i >= len(b) || depth > maxSchemaDepth {
		return nil, -1
	}
	s := &schema{kind: b[i] &^ kNullable, nullable: b[i]&kNullable != 0}
	i++
	n := uint64(0)
	switch s.kind {
	case kStruct:
		if n, i = tagwire.Uvarint(b, i, len(b)); i < 0 || n > uint64(len(b)-i)/2 {
			return nil, -1
		}
	case kList:
		n = 1
	case kMap:
		n = 2
	default:
		if s.kind == 0 || s.kind >= numKinds {
			return nil, -1
		}
	}
	seen := make(map[string]bool)
	for range n {
		if s.kind == kStruct {
			start, stop := tagwire.Span(b, i, len(b))
			if stop < 0 {
				return nil, -1
			}
			name := string(b[start:stop])
			if seen[name] {
				return nil, -1
			}
			seen[name] = true
			s.names = append(s.names, name)
			i = stop
		}
		var c *schema
		if c, i = parseSchema(b, i, depth+1); i < 0 {
			return nil, -1
		}
		s.nodes = append(s.nodes, c)
	}
	if s.kind == kMap && (s.nodes[0].nullable || s.nodes[0].kind != kString && s.nodes[0].kind != kInt && s.nodes[0].kind != kUint) {
		return nil, -1
	}
	return s, i
}

// version returns the version of the layout that the schema needs.
func (s *schema) version() byte {
	if s.kind == kDynamic {
		return 2
	}
	for _, n := range s.nodes {
		if n.version() == 2 {
			return 2
		}
	}
	return 1
}

// String describes the schema: "struct{name string; tags []string?}".
func (s *schema) String() string {
	var b strings.Builder
	s.print(&b)
	return b.String()
}

func (s *schema) print(b *strings.Builder) {
	switch s.kind {
	case kStruct:
		b.WriteString("struct{")
		for i, n := range s.nodes {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(s.names[i] + " ")
			n.print(b)
		}
		b.WriteString("}")
	case kList:
		b.WriteString("[]")
		s.nodes[0].print(b)
	case kMap:
		b.WriteString("map[")
		s.nodes[0].print(b)
		b.WriteString("]")
		s.nodes[1].print(b)
	default:
		b.WriteString(schemaKinds[s.kind])
	}
	if s.nullable {
		b.WriteString("?")
	}
}
