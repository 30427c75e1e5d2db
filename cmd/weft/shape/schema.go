package shape

import (
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/value"
)

// AppendSchema appends a JSON Schema of the values. What is in all objects is required; values of several kinds
// may be anything.
func (s *Shape) AppendSchema(b []byte) []byte {
	name, format := "", ""
	switch {
	case s.has(value.KindBool):
		name = "boolean"
	case s.has(value.KindInt):
		name, format = "integer", "int64"
	case s.has(value.KindUint):
		name, format = "integer", "uint64"
	case s.has(value.KindInt, value.KindFloat):
		name, format = "number", "double"
	case s.has(value.KindString):
		name = "string"
	case s.has(value.KindBytes):
		name, format = "string", "byte"
	case s.has(value.KindTime):
		name, format = "string", "date-time"
	case s.has(value.KindList):
		name = "array"
	case s.has(value.KindMap):
		name = "object"
	default:
		return append(b, "{}"...)
	}
	b = append(b, `{"type":`...)
	if s.kinds&(1<<value.KindNull) != 0 {
		b = append(append(append(b, `["`...), name...), `","null"]`...)
	} else {
		b = append(append(append(b, '"'), name...), '"')
	}
	switch {
	case format != "":
		b = append(append(append(b, `,"format":"`...), format...), '"')
	case name == "array":
		b = append(s.elem.AppendSchema(append(b, `,"items":`...)), '}')
		return b
	case name == "object" && !s.isRecord():
		elem := new(Shape)
		for _, f := range s.fields {
			elem.merge(&f.Shape)
		}
		b = elem.AppendSchema(append(b, `,"additionalProperties":`...))
	case name == "object":
		b = s.members(b)
	}
	return append(b, '}')
}

// members appends the properties of objects, and which are required.
func (s *Shape) members(b []byte) []byte {
	b = append(b, `,"properties":{`...)
	for i, f := range s.fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(wire.AppendJSONString(b, f.name, 0), ':')
		b = f.AppendSchema(b)
	}
	b = append(b, '}')
	word := `,"required":[`
	for _, f := range s.fields {
		if f.n == s.seen {
			b = wire.AppendJSONString(append(b, word...), f.name, 0)
			word = ","
		}
	}
	if word == "," {
		b = append(b, ']')
	}
	return b
}
