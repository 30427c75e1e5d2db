package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/pattern"
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
	defer func() {
		if p.made != nil {
			s.parsed = nil // with those that a panic has left half made
		}
	}()
	n := p.named(name)
	for len(p.pending) > 0 {
		next := p.pending[len(p.pending)-1]
		p.pending = p.pending[:len(p.pending)-1]
		p.name, p.text, p.i = next, s.texts[next], 0
		if p.text == "" {
			panic("schema: no schema called " + wire.Quote(next))
		}
		v := p.value()
		if p.i += len(p.text[p.i:]) - len(strings.TrimLeft(p.text[p.i:], " \t\r\n")); p.i < len(p.text) {
			p.fail()
		}
		p.fill(s.parsed[next], v)
	}
	for _, n := range p.made {
		n.prepare()
		if n.list != nil {
			n.wanted = newChoiceNames(n.list)
		}
	}
	p.made = nil
	return n
}

// schemaParser parses the texts of a table. It panics on one that is not a schema,
// as these are part of a program.
type schemaParser struct {
	table   *Set
	pending []string // named and not yet parsed
	made    []*schemaNode
	name    string // of the one being parsed
	text    string
	i       int
	path    []byte // a JSON pointer to what is being made a schema
}

func (p *schemaParser) named(name string) *schemaNode {
	if n := p.table.parsed[name]; n != nil {
		return n
	}
	n := p.newNode()
	p.table.parsed[name] = n
	p.pending = append(p.pending, name)
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

func (p *schemaParser) fail() { p.panic("not JSON at offset " + strconv.Itoa(p.i)) }

// panic says what is wrong at the path.
func (p *schemaParser) panic(what string) {
	at := ""
	if len(p.path) > 0 {
		at = " at " + string(p.path)
	}
	panic("schema: the schema " + wire.Quote(p.name) + at + ": " + what)
}

// pattern returns the pattern expr, which stands at the path.
func (p *schemaParser) pattern(expr string) *lazyPattern {
	if err := pattern.Check(expr); err != nil {
		p.panic(err.Error())
	}
	return newPattern(expr)
}

// as returns v, which stands at the path, as a T.
func as[T any](p *schemaParser, v any, what string) T {
	x, ok := v.(T)
	if !ok {
		p.panic("expected " + what)
	}
	return x
}

// under calls f with the path to what token names below it.
func (p *schemaParser) under(token string, f func()) {
	n := len(p.path)
	p.path = wire.AppendPointer(p.path, token)
	f()
	p.path = p.path[:n]
}

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
	l := as[jsonList](p, v, "a list of schemas")
	out := make([]*schemaNode, len(l))
	for i := range l {
		p.under(strconv.Itoa(i), func() { out[i] = p.schema(l[i]) })
	}
	return out
}

// members calls f for each member of v, with the path to it.
func (p *schemaParser) members(v any, f func(name string, v any)) {
	for _, m := range as[jsonObject](p, v, "an object") {
		p.under(m.name, func() { f(m.name, m.value) })
	}
}

// fill makes n the schema v.
func (p *schemaParser) fill(n *schemaNode, v any) {
	if b, ok := v.(bool); ok {
		n.never = !b
		return
	}
	as[jsonObject](p, v, "a schema")
	p.members(v, func(name string, v any) { p.keyword(n, name, v) })
}

func (p *schemaParser) keyword(n *schemaNode, name string, v any) {
	switch name {
	case "$ref":
		n.ref = p.named(as[string](p, v, "the name of a schema"))
	case "type":
		n.types = p.types(v)
	case "enum":
		n.hasEnum = true
		for _, x := range as[jsonList](p, v, "a list of values") {
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
		n.pattern = p.pattern(as[string](p, v, "a pattern"))
	case "format":
		n.format = as[string](p, v, "a string")
	case "minimum":
		n.min = p.number(v)
	case "maximum":
		n.max = p.number(v)
	case "exclusiveMinimum":
		n.above = p.number(v)
	case "exclusiveMaximum":
		n.below = p.number(v)
	case "multipleOf":
		if n.multiple = p.number(v); !(n.multiple.f > 0) {
			p.panic("expected a number greater than 0")
		}
	case "minLength":
		n.minLen = p.count(v)
	case "maxLength":
		n.maxLen = p.count(v)
	case "minProperties":
		n.minProps = p.count(v)
	case "maxProperties":
		n.maxProps = p.count(v)
	case "minItems":
		n.minItems = p.count(v)
	case "maxItems":
		n.maxItems = p.count(v)
	case "minContains":
		n.minHave = p.count(v)
	case "maxContains":
		n.maxHave = p.count(v)
	default:
		p.container(n, name, v)
	}
}

func (p *schemaParser) number(v any) *numeral {
	x := as[numeral](p, v, "a number")
	return &x
}

func (p *schemaParser) count(v any) int {
	x := as[numeral](p, v, "a count")
	if !x.integer() || x.f < 0 {
		p.panic("expected a count, not " + x.short())
	}
	return int(min(x.f, 1<<30))
}

// types returns the types that v names: one, or a list.
func (p *schemaParser) types(v any) (s kindSet) {
	if l, ok := v.(jsonList); ok {
		for i, x := range l {
			p.under(strconv.Itoa(i), func() { s |= p.types(as[string](p, x, "the name of a type")) })
		}
		return s
	}
	name := as[string](p, v, "the name of a type, or a list of them")
	for _, n := range setNames {
		if n.name == name {
			return n.set
		}
	}
	p.panic("there is no type " + wire.Quote(name))
	return 0
}

// container sets a keyword about objects or arrays.
func (p *schemaParser) container(n *schemaNode, name string, v any) {
	switch name {
	case "properties":
		p.members(v, func(name string, v any) { n.props = append(n.props, schemaMember{name, p.schema(v)}) })
		if len(n.props) > 8 {
			n.index = make(map[string]*schemaNode, len(n.props))
			for _, m := range n.props {
				n.index[m.name] = m.node
			}
		}
	case "patternProperties":
		p.members(v, func(name string, v any) {
			n.patterns = append(n.patterns, schemaPattern{p.pattern(name), p.schema(v)})
		})
	case "additionalProperties":
		n.extra = p.schema(v)
	case "unevaluatedProperties":
		n.restProps = p.schema(v)
	case "propertyNames":
		n.names = p.schema(v)
	case "required":
		n.required = p.texts(v)
	case "dependentRequired":
		p.members(v, func(name string, v any) {
			n.dependent = append(n.dependent, schemaDependency{name: name, required: p.texts(v)})
		})
	case "dependentSchemas":
		p.members(v, func(name string, v any) {
			n.dependent = append(n.dependent, schemaDependency{name: name, node: p.schema(v)})
		})
	case "prefixItems":
		n.prefix = p.schemas(v)
	case "items":
		n.items = p.schema(v)
	case "contains":
		n.contains = p.schema(v)
	case "unevaluatedItems":
		n.restItems = p.schema(v)
	case "uniqueItems":
		n.unique = as[bool](p, v, "true or false")
	}
}

func (p *schemaParser) texts(v any) []string {
	out := []string{}
	for _, x := range as[jsonList](p, v, "a list of strings") {
		out = append(out, as[string](p, x, "a list of strings"))
	}
	return out
}
