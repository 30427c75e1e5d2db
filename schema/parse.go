package schema

import (
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/wire"
)

// node returns the schema called name, parsed with everything it refers to.
func (s *Set) node(name string) *schemaNode {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parsed == nil {
		s.parsed = make(map[string]*schemaNode)
	}
	p := schemaParser{table: s}
	n := p.named(name)
	for len(p.due) > 0 {
		next := p.due[len(p.due)-1]
		p.due = p.due[:len(p.due)-1]
		p.text, p.i = s.texts[next], 0
		if p.text == "" {
			panic("schema: no schema called " + strconv.Quote(next))
		}
		p.fill(s.parsed[next], p.value())
	}
	for _, n := range p.made {
		n.settle()
		if n.list != nil {
			n.wanted = newChoiceNames(n.list)
		}
	}
	return n
}

// schemaParser parses the texts of a table. It panics on one that is not a schema,
// as these are part of a program.
type schemaParser struct {
	table *Set
	due   []string // named and not yet parsed
	made  []*schemaNode
	text  string
	i     int
}

func (p *schemaParser) named(name string) *schemaNode {
	if n := p.table.parsed[name]; n != nil {
		return n
	}
	n := p.newNode()
	p.table.parsed[name] = n
	p.due = append(p.due, name)
	return n
}

func (p *schemaParser) newNode() *schemaNode {
	n := &schemaNode{maxLen: -1, maxProps: -1, maxItems: -1, minHave: 1, maxHave: -1}
	p.made = append(p.made, n)
	return n
}

// jsonValue is a value of the text: nil, bool, numeral, string, a list or an
// object.
type (
	jsonList   []any
	jsonObject []jsonMember
	jsonMember struct {
		name  string
		value any
	}
)

func (p *schemaParser) fail() { panic("schema: not a JSON Schema: " + wire.Quote(p.text)) }

func (p *schemaParser) next() byte {
	for p.i < len(p.text) && p.text[p.i] <= ' ' {
		p.i++
	}
	if p.i == len(p.text) {
		p.fail()
	}
	return p.text[p.i]
}

func (p *schemaParser) value() any {
	switch c := p.next(); c {
	case '{':
		out := jsonObject{}
		p.each('}', func() {
			name := p.str()
			if p.next() != ':' {
				p.fail()
			}
			p.i++
			out = append(out, jsonMember{name, p.value()})
		})
		return out
	case '[':
		out := jsonList{}
		p.each(']', func() { out = append(out, p.value()) })
		return out
	case '"':
		return p.str()
	}
	start := p.i
	for p.i < len(p.text) && p.text[p.i] > ' ' && p.text[p.i] != ',' && p.text[p.i] != '}' && p.text[p.i] != ']' {
		p.i++
	}
	switch word := p.text[start:p.i]; word {
	case "null":
		return nil
	case "true":
		return true
	case "false":
		return false
	default:
		x, ok := parseNumeral(word)
		if !ok {
			p.fail()
		}
		return x
	}
}

// each calls one for each of the things up to the closing bracket.
func (p *schemaParser) each(end byte, one func()) {
	p.i++
	if p.next() == end {
		p.i++
		return
	}
	for {
		p.next()
		one()
		c := p.next()
		p.i++
		if c == end {
			return
		}
		if c != ',' {
			p.fail()
		}
	}
}

func (p *schemaParser) str() string {
	if p.next() != '"' {
		p.fail()
	}
	start := p.i
	for p.i++; p.i < len(p.text) && p.text[p.i] != '"'; p.i++ {
		if p.text[p.i] == '\\' {
			p.i++
		}
	}
	if p.i >= len(p.text) {
		p.fail()
	}
	p.i++
	return unescapeJSON(p.text[start+1 : p.i-1])
}

// unescapeJSON returns what stands for the inside of a JSON string that was
// written by weft: with \u only for characters of one unit.
func unescapeJSON(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' || i+1 == len(s) {
			b = append(b, c)
			continue
		}
		i++
		switch c = s[i]; c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r':
			b = append(b, '\r')
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'u':
			if i+4 >= len(s) {
				return string(b)
			}
			x, _ := strconv.ParseUint(s[i+1:i+5], 16, 32)
			b = utf8.AppendRune(b, rune(x))
			i += 4
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

func (p *schemaParser) schema(v any) *schemaNode {
	n := p.newNode()
	p.fill(n, v)
	return n
}

func (p *schemaParser) schemas(v any) []*schemaNode {
	l, _ := v.(jsonList)
	out := make([]*schemaNode, len(l))
	for i := range l {
		out[i] = p.schema(l[i])
	}
	return out
}

// fill makes n the schema v.
func (p *schemaParser) fill(n *schemaNode, v any) {
	if b, ok := v.(bool); ok {
		n.never = !b
		return
	}
	object, ok := v.(jsonObject)
	if !ok {
		p.fail()
	}
	for _, m := range object {
		p.keyword(n, m.name, m.value)
	}
}

func (p *schemaParser) keyword(n *schemaNode, name string, v any) {
	switch name {
	case "$ref":
		n.ref = p.named(v.(string))
	case "type":
		n.types = typeSet(v)
	case "enum":
		n.hasEnum = true
		for _, x := range v.(jsonList) {
			n.enum = append(n.enum, string(appendCanonical(nil, x)))
		}
	case "const":
		n.hasEnum, n.enum = true, []string{string(appendCanonical(nil, v))}
	case "allOf":
		n.allOf = p.schemas(v)
	case "anyOf":
		n.anyOf = p.schemas(v)
	case "oneOf":
		n.oneOf = p.schemas(v)
	case "not":
		n.not = p.schema(v)
	case "if":
		n.when = p.schema(v)
	case "then":
		n.then = p.schema(v)
	case "else":
		n.orElse = p.schema(v)
	case "pattern":
		n.pattern = newPattern(v.(string))
	case "format":
		n.format = v.(string)
	default:
		if x, ok := v.(numeral); ok {
			n.number(name, x)
		} else {
			p.container(n, name, v)
		}
	}
}

func (n *schemaNode) number(name string, x numeral) {
	count := int(min(x.f, 1<<30))
	switch name {
	case "minimum":
		n.min = &x
	case "maximum":
		n.max = &x
	case "exclusiveMinimum":
		n.above = &x
	case "exclusiveMaximum":
		n.below = &x
	case "multipleOf":
		n.multiple = &x
	case "minLength":
		n.minLen = count
	case "maxLength":
		n.maxLen = count
	case "minProperties":
		n.minProps = count
	case "maxProperties":
		n.maxProps = count
	case "minItems":
		n.minItems = count
	case "maxItems":
		n.maxItems = count
	case "minContains":
		n.minHave = count
	case "maxContains":
		n.maxHave = count
	}
}

// container sets a keyword about objects or arrays.
func (p *schemaParser) container(n *schemaNode, name string, v any) {
	members, _ := v.(jsonObject)
	switch name {
	case "properties":
		for _, m := range members {
			n.props = append(n.props, schemaMember{m.name, p.schema(m.value)})
		}
		if len(n.props) > 8 {
			n.index = make(map[string]*schemaNode, len(n.props))
			for _, m := range n.props {
				n.index[m.name] = m.node
			}
		}
	case "patternProperties":
		for _, m := range members {
			n.patterns = append(n.patterns, schemaPattern{newPattern(m.name), p.schema(m.value)})
		}
	case "additionalProperties":
		n.extra = p.schema(v)
	case "unevaluatedProperties":
		n.restProps = p.schema(v)
	case "propertyNames":
		n.names = p.schema(v)
	case "required":
		n.required = texts(v)
	case "dependentRequired":
		for _, m := range members {
			n.dependent = append(n.dependent, schemaDependency{name: m.name, required: texts(m.value)})
		}
	case "dependentSchemas":
		for _, m := range members {
			n.dependent = append(n.dependent, schemaDependency{name: m.name, node: p.schema(m.value)})
		}
	case "prefixItems":
		n.prefix = p.schemas(v)
	case "items":
		n.items = p.schema(v)
	case "contains":
		n.contains = p.schema(v)
	case "unevaluatedItems":
		n.restItems = p.schema(v)
	case "uniqueItems":
		n.unique = v == true
	}
}

func texts(v any) []string {
	out := []string{}
	for _, x := range v.(jsonList) {
		out = append(out, x.(string))
	}
	return out
}
