package schema

import (
	"slices"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
)

// Set is a table of JSON Schemas (draft 2020-12) by name, for constraints that a Go type cannot express: [weft.Rules]
// refer to it. The texts are parsed when a schema of the table is first used.
//
// A $ref is the name of another schema of the table. Formats are date, time,
// date-time, duration, uuid, ipv4, ipv6, uri, email, decimal and byte; others, and
// keywords that check nothing, are ignored.
type Set struct {
	texts  map[string]string
	mu     sync.Mutex
	parsed map[string]*schemaNode
}

// New returns the table of the schemas given as pairs of name and text.
// The texts are trusted: one that is not a JSON Schema panics when it is used, with its name and where in it the fault
// is.
func New(pairs ...string) *Set {
	s := &Set{texts: make(map[string]string, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		s.texts[pairs[i]] = pairs[i+1]
	}
	return s
}

// Get returns the schema called name.
func (s *Set) Get(name string) *Schema {
	return &Schema{get: sync.OnceValue(func() *schemaNode { return s.node(name) })}
}

// Choice returns the schema called name as the choice between the schemas of its
// oneOf or anyOf, whose Go types have the given names, for [weft.PartsOf].
func (s *Set) Choice(name, union string, variants ...string) *Schema {
	return &Schema{union: union, variants: variants, get: sync.OnceValue(func() *schemaNode { return s.node(name) })}
}

// Schema is a schema of a [Set]. It implements [backend.Schema], for [weft.Rules].
type Schema struct {
	get      func() *schemaNode
	union    string
	variants []string
}

// Names returns the names of the Go types between which s chooses.
func (s *Schema) Names() []string { return s.variants }

// Check returns an error unless the next value is valid. It consumes nothing.
func (s *Schema) Check(r backend.Reader) error {
	n := s.get()
	m := r.Mark()
	e := evaluator{r: r}
	res := e.value([]*schemaNode{n})
	if r.Err() != nil || res[0].is != no {
		r.Reset(m)
		return nil // what is not well-formed is for the reader to find
	}
	// Once more, to say why: what is valid is not made to pay for that.
	r.Reset(m)
	e = evaluator{r: r, explain: true}
	res = e.value([]*schemaNode{n})
	r.Reset(m)
	if res[0].err == nil {
		return &weft.ConstraintError{Rule: "be as the document says"}
	}
	return res[0].err
}

// decisions are, for the choices that a reader has met in its document, a bit for each schema that matches.
type decisions map[choiceKey]uint64

// decided returns the decisions that l keeps.
func decided(l *backend.Lookahead) decisions {
	d, _ := l.Kept.(decisions)
	return d
}

type choiceKey struct {
	offset int
	node   *schemaNode
}

// Match returns a bit for each variant, of at most 64, that the next value matches, or an error that names the
// variants if it matches none. It consumes nothing.
//
// The names of required members decide if they can. Otherwise Match reads the value once, without nested values, for
// all variants at once, and again with nested values only if more than one variant is left. It stores nested choices
// in the [backend.Lookahead] of r, so that each value is examined a bounded number of times, however deeply choices
// nest.
func (s *Schema) Match(r backend.Reader) (uint64, error) {
	if all := s.match(r); all != 0 {
		return all, nil
	}
	var names []string // each once, though an object of parts has several of the schemas
	for _, name := range s.variants {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return 0, &weft.ChoiceError{Union: s.union, Variants: names}
}

// match returns a bit for each variant that the value which comes next matches.
func (s *Schema) match(r backend.Reader) uint64 {
	n, l := s.get(), r.Lookahead()
	if all, ok := decided(l)[choiceKey{r.Offset(), n}]; ok {
		return all
	}
	m := r.Mark()
	if m.Depth < deepChoice {
		if i := n.byNames(r); i >= 0 {
			return 1 << i
		}
		e := evaluator{r: r, shallow: true}
		all, sure := matching(e.value(n.list))
		if r.Reset(m); sure {
			return all
		}
	}
	e := evaluator{r: r, ahead: l}
	all, _ := matching(e.value(n.list))
	r.Reset(m)
	return all
}

// deepChoice is the depth from which on a choice looks at everything at once:
// what is nested so deep may hold many choices, whose values would each be
// skipped by all those around them.
const deepChoice = 64

// matching returns a bit for each of the results by which a schema may match. It is not sure when some only may, and
// others too.
func matching(list []schemaResult) (all uint64, sure bool) {
	sure = true
	for i, r := range list {
		if r.is != no {
			all |= 1 << i
			sure = sure && r.is == yes
		}
	}
	return all, sure || all&(all-1) == 0
}

// schemaNode is a schema, parsed.
type schemaNode struct {
	types kindSet // 0: any
	never bool

	enum                             []string // as canonical texts
	hasEnum                          bool
	min, max, above, below, multiple *numeral
	minLen, maxLen                   int
	pattern                          *lazyPattern
	format                           string

	props              []schemaMember
	index              map[string]*schemaNode // of props, when they are many
	patterns           []schemaPattern
	extra              *schemaNode
	names              *schemaNode
	required           []string
	dependent          []schemaDependency
	minProps, maxProps int
	restProps          *schemaNode // unevaluatedProperties

	prefix             []*schemaNode
	items              *schemaNode
	contains           *schemaNode
	minHave, maxHave   int // elements that contains holds for
	minItems, maxItems int
	unique             bool
	restItems          *schemaNode // unevaluatedItems

	allOf, anyOf, oneOf []*schemaNode
	not                 *schemaNode
	when, then, orElse  *schemaNode
	ref                 *schemaNode

	list    []*schemaNode // the variants of a choice
	wanted  *choiceNames  // and what they require; may be nil
	inner   []*schemaNode // in-place parts, itself first; see schemaNode.parts
	to      *schemaNode   // itself, or what it refers to if it does nothing else
	quick   *plainSchema  // may be nil
	looks   bool          // some part is about members or elements
	rests   bool          // some part has restProps or restItems
	longest int           // text of an array or object in its enum
	limits  bool          // it says something about numbers but their type
	free    bool          // it allows everything
	whole   bool          // a [Walk] cannot tell
}

type schemaMember struct {
	name string
	node *schemaNode
}

type schemaPattern struct {
	expr *lazyPattern
	node *schemaNode
}

type schemaDependency struct {
	name     string
	required []string
	node     *schemaNode
}

// member returns the schema for the member called name, or nil.
func (n *schemaNode) member(name string) *schemaNode {
	if n.index != nil {
		return n.index[name]
	}
	for i := range n.props {
		if n.props[i].name == name {
			return n.props[i].node
		}
	}
	return nil
}

// parts returns n and every schema that holds for the same value, as far as
// references and compositions lead.
func (n *schemaNode) parts() []*schemaNode {
	if n.inner != nil {
		return n.inner
	}
	seen := make(map[*schemaNode]bool)
	var all []*schemaNode
	var walk func(*schemaNode)
	walk = func(m *schemaNode) {
		if m == nil || seen[m] {
			return
		}
		seen[m] = true
		all = append(all, m)
		walk(m.ref)
		for _, l := range [][]*schemaNode{m.allOf, m.anyOf, m.oneOf} {
			for _, p := range l {
				walk(p)
			}
		}
		for _, p := range []*schemaNode{m.not, m.when, m.then, m.orElse} {
			walk(p)
		}
		for _, d := range m.dependent {
			walk(d.node)
		}
	}
	walk(n)
	return all
}

// prepare works out what evaluation asks of n. Afterwards n does not change.
func (n *schemaNode) prepare() {
	n.inner = n.parts()
	if n.list = n.oneOf; n.list == nil {
		n.list = n.anyOf
	}
	for _, p := range n.inner {
		n.looks = n.looks || p.looksItself()
		n.rests = n.rests || p.restProps != nil || p.restItems != nil
		for _, s := range p.enum {
			if s[0] == '[' || s[0] == '{' {
				n.longest = max(n.longest, len(s))
			}
		}
	}
	n.to, n.quick = n.target(), n.plain()
	n.limits = n.numeric()
	n.prepareWalk()
}

// looksItself reports whether n itself says something about members or elements.
func (n *schemaNode) looksItself() bool {
	return n.props != nil || n.patterns != nil || n.extra != nil || n.names != nil || n.required != nil ||
		n.dependent != nil || n.minProps > 0 || n.maxProps >= 0 || n.restProps != nil ||
		n.prefix != nil || n.items != nil || n.contains != nil ||
		n.minItems > 0 || n.maxItems >= 0 || n.unique || n.restItems != nil
}
