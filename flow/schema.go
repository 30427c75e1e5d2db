package flow

import (
	"reflect"
	"strings"

	"github.com/weftcodec/weft/json"
)

// Schema returns a JSON Schema (2020-12) of documents, for editors: the kinds, their fields and descriptions. It
// checks less than [Check], which also checks links.
func Schema() []byte {
	node := map[string]any{"oneOf": []any{}}
	var each []any
	for _, k := range kinds() {
		each = append(each, kindSchema(k))
	}
	node["oneOf"] = each
	list := map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/node"}}
	root := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "weft-flow document",
		"anyOf": []any{list, map[string]any{"$ref": "#/$defs/node"}, map[string]any{
			"type": "object", "properties": map[string]any{"nodes": list}, "required": []string{"nodes"},
			"patternProperties": map[string]any{"^x-": true}, "additionalProperties": false,
		}},
		"$defs": map[string]any{"node": node, "links": linksSchema(), "env": map[string]any{"type": "object"}},
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // it has only texts, lists and maps
	}
	return append(text, '\n')
}

func kindSchema(k *kind) map[string]any {
	s := structSchema(reflect.TypeOf(k.config()).Elem())
	p := s["properties"].(map[string]any)
	p["kind"] = map[string]any{"enum": append([]string{k.name}, k.aliases...), "description": k.doc}
	required, _ := s["required"].([]string)
	s["required"] = append([]string{"kind"}, required...)
	switch {
	case k.name == "client":
		p["kind"].(map[string]any)["enum"] = []string{"client", "http"}
	case k.field == "" && len(otherFields(k)) > 0:
		var others []any
		for _, field := range otherFields(k) {
			others = append(others, map[string]any{"required": []string{field}})
		}
		s["not"] = map[string]any{"anyOf": others}
	}
	for _, name := range commonFields {
		if p[name] != nil {
			continue
		}
		switch name {
		case "links", "ports", "env":
			p[name] = map[string]any{"$ref": "#/$defs/" + strings.Replace(name, "ports", "links", 1)}
		case "name":
			p[name] = map[string]any{"type": "string", "description": "by which links lead to the node"}
		case "input", "output":
			p[name] = map[string]any{"type": []string{"string", "object", "boolean"},
				"description": "a JSON Schema of the bodies that come, or are handed on, or the file of one"}
		default:
			p[name] = true
		}
	}
	return s
}

// otherFields returns the fields that tell other kinds of the name from k.
func otherFields(k *kind) (fields []string) {
	for _, other := range kinds() {
		if other.name == k.name && other.field != k.field {
			fields = append(fields, other.field)
		}
	}
	return fields
}

func linksSchema() map[string]any {
	link := map[string]any{
		"type": "object", "required": []string{"name"}, "additionalProperties": false,
		"properties": map[string]any{
			"name": map[string]any{"type": "string", "description": "the node that the link leads to"},
			"port": map[string]any{"type": "string", "description": "its input port, else in"},
		},
	}
	return map[string]any{
		"type": "object", "description": "where output ports lead, such as out, out[0] and error",
		"additionalProperties": map[string]any{"anyOf": []any{link, map[string]any{"type": "array", "items": link}}},
	}
}

func structSchema(t reflect.Type) map[string]any {
	properties := make(map[string]any)
	s := map[string]any{"type": "object", "properties": properties, "patternProperties": map[string]any{"^x-": true}, "additionalProperties": false}
	var required []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, must := tag(f)
		if name == "" {
			continue
		}
		field := typeSchema(f.Type, f.Tag.Get("enum"))
		if doc := f.Tag.Get("doc"); doc != "" {
			field["description"] = doc
		}
		properties[name] = field
		if must {
			required = append(required, name)
		}
	}
	if required != nil {
		s["required"] = required
	}
	return s
}

// typeSchema returns the schema of a field. Where a text with a reference may stand in the place of a number, both may.
func typeSchema(t reflect.Type, enum string) map[string]any {
	const reference = `\$\{|\{\{`
	texts := map[string]any{"type": []string{"string", "number", "boolean"}}
	switch t {
	case literalType:
		return map[string]any{}
	case durationType:
		return map[string]any{"type": "string", "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$|` + reference}
	case sizeType:
		return map[string]any{"type": []string{"string", "integer"}, "pattern": `^[0-9]+ *([KMG]i?)?B?$|` + reference}
	case codeType, exprType, textType, portType:
		return texts
	}
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"anyOf": []any{map[string]any{"type": "boolean"}, map[string]any{"pattern": reference, "type": "string"}}}
	case reflect.Int, reflect.Float64:
		kind := "integer"
		if t.Kind() == reflect.Float64 {
			kind = "number"
		}
		return map[string]any{"anyOf": []any{map[string]any{"type": kind, "minimum": 0}, map[string]any{"pattern": reference, "type": "string"}}}
	case reflect.Pointer:
		return typeSchema(t.Elem(), enum)
	case reflect.Slice:
		item := typeSchema(t.Elem(), enum)
		list := map[string]any{"type": "array", "items": item}
		if item["type"] == "object" {
			return list
		}
		return map[string]any{"anyOf": []any{list, item}}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": typeSchema(t.Elem(), enum)}
	case reflect.Struct:
		return structSchema(t)
	}
	if enum == "" {
		return texts
	}
	return map[string]any{"anyOf": []any{map[string]any{"enum": strings.Split(enum, ",")}, map[string]any{"pattern": reference, "type": "string"}}}
}
