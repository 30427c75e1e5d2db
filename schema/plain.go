package schema

import "github.com/weftcodec/weft"

// plainSchema is what a schema without parts says of objects and arrays, for reading them without a [schemaFrame].
type plainSchema struct {
	names []plainName    // members that are described or required
	index map[string]int // of names, when they are many
	want  uint64         // the required members, by the bits of their names
}

type plainName struct {
	name string
	node *schemaNode // nil: it is only required
	bit  uint64      // 0: it is not required
}

// plain returns the plainSchema of n, or nil where a frame is needed: n has parts, or a rule about all members or
// elements together.
func (n *schemaNode) plain() *plainSchema {
	if len(n.inner) != 1 || n.names != nil || n.dependent != nil || n.restProps != nil || n.restItems != nil ||
		n.contains != nil || n.unique || n.hasEnum || len(n.required) > 64 {
		return nil
	}
	p := new(plainSchema)
	for _, m := range n.props {
		p.names = append(p.names, plainName{name: m.name, node: m.node})
	}
	for i, name := range n.required {
		at := p.find(name, 0)
		if at < 0 {
			at = len(p.names)
			p.names = append(p.names, plainName{name: name})
		}
		p.names[at].bit |= 1 << i
		p.want |= 1 << i
	}
	if len(p.names) > 8 {
		p.index = make(map[string]int, len(p.names))
		for i, m := range p.names {
			p.index[m.name] = i
		}
	}
	return p
}

// find returns the index of name, or -1. The one at next is tried first.
func (p *plainSchema) find(name string, next int) int {
	if next < len(p.names) && p.names[next].name == name {
		return next
	}
	if p.index != nil {
		if i, ok := p.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range p.names {
		if p.names[i].name == name {
			return i
		}
	}
	return -1
}

// target returns the schema that n stands for: where n is only a reference, what that leads to.
func (n *schemaNode) target() *schemaNode {
	for range len(n.inner) {
		if n.ref == nil || n.types != 0 || n.never || n.hasEnum || n.checksScalars() || n.looksItself() || n.allOf != nil ||
			n.anyOf != nil || n.oneOf != nil || n.not != nil || n.when != nil {
			return n
		}
		n = n.ref
	}
	return n // a circle, which says nothing
}

// checksScalars reports whether n itself says something about numbers or strings.
func (n *schemaNode) checksScalars() bool { return !n.bare() || n.numeric() }

// numeric reports whether n itself says something about numbers but their type.
func (n *schemaNode) numeric() bool {
	return n.min != nil || n.max != nil || n.above != nil || n.below != nil || n.multiple != nil || n.format != ""
}

// holds reads the next value and reports whether it is valid by n. The same as value finds when nothing is to be
// explained or left out.
func (e *evaluator) holds(n *schemaNode) bool {
	n = n.to
	k := e.r.Kind()
	switch {
	case k != weft.KindObject && k != weft.KindArray && len(n.inner) == 1:
		return n.scalar(e.r, k)
	case k == weft.KindObject && n.quick != nil:
		return e.objectHolds(n)
	case k == weft.KindArray && n.quick != nil:
		return e.arrayHolds(n)
	}
	kept := len(e.results)
	is := e.framed(n.inner[:1])[0].is
	e.results = e.results[:kept]
	return is != no
}

func (e *evaluator) objectHolds(n *schemaNode) bool {
	r, p := e.r, n.quick
	ok := !n.never && (n.types == 0 || n.types&setObject != 0)
	if !ok || !n.looks {
		r.Skip()
		return ok
	}
	seen, count, next := uint64(0), 0, 0
	for more := r.BeginMap(); more; count++ {
		var name string
		if name, more = r.NextKey(); !more {
			break
		}
		at := p.find(name, next)
		described := at >= 0 && p.names[at].node != nil
		if at >= 0 {
			seen |= p.names[at].bit
			next = at + 1
		}
		if n.patterns != nil && e.patternsHold(n, name, at, &ok) {
			continue
		}
		switch {
		case !ok:
			r.Skip()
		case described:
			ok = e.holds(p.names[at].node)
		case n.extra != nil:
			ok = e.holds(n.extra)
		default:
			r.Skip()
		}
	}
	return ok && seen == p.want && checkMembers(count, n.minProps, n.maxProps) == nil
}

// patternsHold reports whether a pattern describes the member called name, whose value it reads then by all that
// describe it.
func (e *evaluator) patternsHold(n *schemaNode, name string, at int, ok *bool) bool {
	var links schemaLinks
	for _, p := range n.patterns {
		if p.expr.match(name) {
			links.add(0, p.node, linkPart)
		}
	}
	if len(links.list) == 0 {
		return false
	}
	if at >= 0 && n.quick.names[at].node != nil {
		links.add(0, n.quick.names[at].node, linkPart)
	}
	kept := len(e.results)
	for _, res := range e.value(links.list) {
		*ok = *ok && res.is != no
	}
	e.results = e.results[:kept]
	return true
}

func (e *evaluator) arrayHolds(n *schemaNode) bool {
	r := e.r
	ok := !n.never && (n.types == 0 || n.types&setArray != 0)
	if !ok || !n.looks {
		r.Skip()
		return ok
	}
	count := 0
	for more := r.BeginArray(); more; more = r.More() {
		switch {
		case !ok:
			r.Skip()
		case count < len(n.prefix):
			ok = e.holds(n.prefix[count])
		case n.items != nil:
			ok = e.holds(n.items)
		default:
			r.Skip()
		}
		count++
	}
	return ok && checkItems(count, n.minItems, n.maxItems) == nil
}
