package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// schemaLink ties the schema of a member or element to the node that says it.
type schemaLink struct {
	node int // index of the node
	at   int // index of the schema among those evaluated
	what linkKind
}

type linkKind uint8

const (
	linkPart     linkKind = iota // must hold
	linkRest                     // must hold when nothing else describes the value
	linkContains                 // counts
)

// schemaLinks gathers the schemas for one member or element.
type schemaLinks struct {
	list  []*schemaNode
	links []schemaLink
}

func (l *schemaLinks) reset() { l.list, l.links = l.list[:0], l.links[:0] }

func (l *schemaLinks) add(node int, n *schemaNode, what linkKind) {
	at := slices.Index(l.list, n)
	if at < 0 {
		at = len(l.list)
		l.list = append(l.list, n)
	}
	l.links = append(l.links, schemaLink{node, at, what})
}

// evaluate reads the next value by the schemas gathered; it is the k-th, called
// name if it is a member.
func (f *schemaFrame) evaluate(l *schemaLinks, k int, name string, have [][3]int) {
	if f.e.explain {
		f.at = append(f.at, f.e.r.Offset())
	}
	if len(l.list) == 0 {
		f.e.r.Skip()
		return
	}
	f.e.depth++
	kept := len(f.e.results)
	res := f.e.value(l.list)
	f.e.results = f.e.results[:kept]
	f.e.depth--
	for _, link := range l.links {
		r := res[link.at]
		switch {
		case link.what == linkPart && r.is == no:
			if have != nil {
				name = strconv.Itoa(k)
			}
			f.child(link.node, k, name, r)
		case link.what == linkPart:
			f.own[link.node].is = f.own[link.node].is.and(r.is)
		case link.what == linkRest && r.is == no:
			f.mark(1, link.node, k)
		case link.what == linkContains && r.is == yes:
			have[link.node][yes]++
			f.mark(0, link.node, k)
		case link.what == linkContains:
			have[link.node][r.is]++
		}
	}
}

// object reads an object.
func (f *schemaFrame) object() {
	r := f.e.r
	var links schemaLinks
	k := 0
	for ok := r.BeginMap(); ok; k++ {
		var name string
		if name, ok = r.NextKey(); !ok {
			break
		}
		name = strings.Clone(name)
		f.names = append(f.names, name)
		links.reset()
		for i, n := range f.nodes {
			f.member(&links, i, n, name, k)
		}
		f.evaluate(&links, k, name, nil)
	}
	f.count = k
	for i, n := range f.nodes {
		f.members(i, n, k)
	}
}

// member gathers what the i-th node says about the k-th member.
func (f *schemaFrame) member(l *schemaLinks, i int, n *schemaNode, name string, k int) {
	described := false
	if p := n.member(name); p != nil {
		l.add(i, p, linkPart)
		described = true
	}
	for _, p := range n.patterns {
		if p.expr.match(name) {
			l.add(i, p.node, linkPart)
			described = true
		}
	}
	if !described && n.extra != nil {
		l.add(i, n.extra, linkPart)
		described = true
	}
	if n.names != nil {
		if err := f.named(n.names, name); err != nil {
			f.failWith(i, err)
		}
	}
	if n.restProps != nil {
		l.add(i, n.restProps, linkRest)
	}
	if described && f.tracked {
		f.mark(0, i, k)
	}
}

// named returns an error unless the name is valid.
func (f *schemaFrame) named(n *schemaNode, name string) error {
	e := evaluator{r: f.e.r, explain: true}
	g := newSchemaFrame(&e, []*schemaNode{n})
	g.string(name, true)
	g.state = make([]uint8, len(g.nodes))
	if res := g.resolve(n); res.is == no {
		rule := "have no member called " + wire.Quote(name)
		if c, ok := res.err.(*weft.ConstraintError); ok {
			rule = "have member names that " + c.Rule
		}
		return &weft.ConstraintError{Rule: rule}
	}
	return nil
}

// members checks what the i-th node says about the members all together.
func (f *schemaFrame) members(i int, n *schemaNode, k int) {
	require := func(names []string) {
		for _, name := range names {
			if !slices.Contains(f.names, name) {
				f.failWith(i, &weft.MissingError{Names: []string{name}})
			}
		}
	}
	require(n.required)
	for _, d := range n.dependent {
		if d.required != nil && slices.Contains(f.names, d.name) {
			require(d.required)
		}
	}
	f.failWith1(i, checkMembers(k, n.minProps, n.maxProps))
}

// array reads an array.
func (f *schemaFrame) array() {
	r := f.e.r
	have := make([][3]int, len(f.nodes)) // elements that contains holds for, by truth
	unique := slices.ContainsFunc(f.nodes, func(n *schemaNode) bool { return n.unique })
	var seen seenElements
	var links schemaLinks
	k := 0
	for ok := r.BeginArray(); ok; ok = r.More() {
		if unique {
			if j := seen.add(f.e, k); j >= 0 {
				unique = false
				for i, n := range f.nodes {
					if n.unique {
						f.failWith(i, notUnique(j, k))
					}
				}
			}
		}
		links.reset()
		for i, n := range f.nodes {
			f.element(&links, i, n, k)
		}
		f.evaluate(&links, k, "", have)
		k++
	}
	f.count = k
	for i, n := range f.nodes {
		f.failWith1(i, checkItems(k, n.minItems, n.maxItems))
		if n.contains == nil {
			continue
		}
		sure, perhaps := have[i][yes], have[i][maybe]
		switch {
		case sure+perhaps < n.minHave:
			f.fail(i, "contain at least "+plural(n.minHave, "element")+" as the document says")
		case n.maxHave >= 0 && sure > n.maxHave:
			f.fail(i, "contain at most "+plural(n.maxHave, "element")+" as the document says")
		case perhaps > 0 && f.own[i].is == yes:
			f.own[i].is = maybe
		}
	}
}

// element gathers what the i-th node says about the k-th element.
func (f *schemaFrame) element(l *schemaLinks, i int, n *schemaNode, k int) {
	described := true
	switch {
	case k < len(n.prefix):
		l.add(i, n.prefix[k], linkPart)
	case n.items != nil:
		l.add(i, n.items, linkPart)
	default:
		described = false
	}
	if n.contains != nil {
		l.add(i, n.contains, linkContains)
	}
	if n.restItems != nil {
		l.add(i, n.restItems, linkRest)
	}
	if described && f.tracked {
		f.mark(0, i, k)
	}
}
