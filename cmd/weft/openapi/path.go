package openapi

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonPath is a JSONPath query (RFC 9535).
type jsonPath struct {
	relative bool // begins with @
	segments []segment
}

// segment selects children, or descendants, of the nodes so far (§2.5).
type segment struct {
	descend   bool
	selectors []selector
}

// selector is one of the forms of §2.3.
type selector struct {
	kind             byte // 'n'ame, '*', 'i'ndex, 's'lice, '?'
	name             string
	start, end, step *int64 // index: start
	filter           *filterExpr
}

// maxPathDepth bounds the nesting of parentheses, filters and functions.
const maxPathDepth = 50

// parsePath reads a query that begins with $.
func parsePath(text string) (*jsonPath, error) {
	p := pathParser{s: text}
	q, err := p.query('$')
	if err == nil && p.i < len(p.s) {
		err = p.fail("the end of the path is expected")
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

type pathParser struct {
	s     string
	i     int
	depth int
}

func (p *pathParser) fail(format string, args ...any) error {
	at := "the end"
	if p.i < len(p.s) {
		at = quote(p.s[p.i:])
	}
	return fmt.Errorf("at %s: %s", at, fmt.Sprintf(format, args...))
}

// peek returns the next byte, 0 at the end.
func (p *pathParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *pathParser) blanks() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *pathParser) accept(text string) bool {
	if strings.HasPrefix(p.s[p.i:], text) {
		p.i += len(text)
		return true
	}
	return false
}

// query reads a query that begins with the byte root.
func (p *pathParser) query(root byte) (*jsonPath, error) {
	if p.peek() != root {
		return nil, p.fail("%q is expected", root)
	}
	p.i++
	q := &jsonPath{relative: root == '@'}
	for {
		at := p.i
		p.blanks()
		var s segment
		switch {
		case p.accept(".."):
			s.descend = true
		case p.peek() == '.' || p.peek() == '[':
			if p.peek() == '.' {
				p.i++
				if p.peek() == '[' {
					return nil, p.fail("a name or * is expected")
				}
			}
		default:
			p.i = at // blanks belong to what follows
			return q, nil
		}
		var err error
		switch {
		case p.peek() == '[':
			s.selectors, err = p.selectors()
		case p.accept("*"):
			s.selectors = []selector{{kind: '*'}}
		default:
			var name string
			name, err = p.shorthand()
			s.selectors = []selector{{kind: 'n', name: name}}
		}
		if err != nil {
			return nil, err
		}
		q.segments = append(q.segments, s)
	}
}

// shorthand reads a name after a dot (§2.5.1.1).
func (p *pathParser) shorthand() (string, error) {
	from := p.i
	for p.i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80 && !(r == utf8.RuneError && n == 1)
		if !letter && (p.i == from || r < '0' || r > '9') {
			break
		}
		p.i += n
	}
	if p.i == from {
		return "", p.fail("a name or * is expected: names with other characters stand in ['…']")
	}
	return p.s[from:p.i], nil
}

// selectors reads a list of selectors in brackets.
func (p *pathParser) selectors() ([]selector, error) {
	p.i++
	var out []selector
	for {
		p.blanks()
		s, err := p.selector()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
		p.blanks()
		if p.accept("]") {
			return out, nil
		}
		if !p.accept(",") {
			return nil, p.fail("a comma or ] is expected")
		}
	}
}

func (p *pathParser) selector() (selector, error) {
	switch c := p.peek(); {
	case c == '\'' || c == '"':
		name, err := p.str()
		return selector{kind: 'n', name: name}, err
	case c == '*':
		p.i++
		return selector{kind: '*'}, nil
	case c == '?':
		p.i++
		p.blanks()
		f, err := p.logical()
		return selector{kind: '?', filter: f}, err
	}
	s := selector{kind: 'i'}
	var err error
	if s.start, err = p.integer(); err != nil {
		return s, err
	}
	at := p.i
	p.blanks()
	if !p.accept(":") {
		p.i = at
		if s.start == nil {
			return s, p.fail("a name in quotes, a number, *, : or ? is expected")
		}
		return s, nil
	}
	s.kind = 's'
	p.blanks()
	if s.end, err = p.integer(); err != nil {
		return s, err
	}
	at = p.i
	if p.blanks(); p.accept(":") {
		p.blanks()
		s.step, err = p.integer()
	} else {
		p.i = at
	}
	return s, err
}

// integer reads an integer within ±(2^53-1), nil when there is none.
func (p *pathParser) integer() (*int64, error) {
	from := p.i
	if p.peek() == '-' {
		p.i++
	}
	digits := p.i
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.i++
	}
	if p.i == from {
		return nil, nil
	}
	text := p.s[from:p.i]
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n >= 1<<53 || n <= -1<<53 || p.s[digits] == '0' && len(text) > 1 {
		p.i = from
		return nil, p.fail("%s is not an index", text)
	}
	return &n, nil
}

// str reads a string literal (§2.3.1.1).
func (p *pathParser) str() (string, error) {
	open := p.s[p.i]
	p.i++
	var b []byte
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == open:
			p.i++
			return string(b), nil
		case c < 0x20:
			return "", p.fail("a control character in a string")
		case c != '\\':
			b = append(b, c)
			p.i++
		case strings.HasPrefix(p.s[p.i+1:], string(open)):
			b = append(b, open)
			p.i += 2
		default:
			r, n := unescape(p.s[p.i:])
			if n == 0 || p.s[p.i+1] == '"' || n == 6 && r >= 0xD800 && r < 0xE000 {
				return "", p.fail("no escape of a string")
			}
			b = utf8.AppendRune(b, r)
			p.i += n
		}
	}
	return "", errors.New("the path ends inside a string")
}

// maxPathSteps bounds the nodes that one query visits.
const maxPathSteps = 2_000_000

// found is a node that a query selects, and where it hangs.
type found struct{ node, parent *Node }

// finder evaluates a query over one document.
type finder struct {
	root  *Node
	steps int
}

// find returns the nodes of the document that q selects, in document order and
// with repetitions as §2.1.2 has it, and false when there are too many to visit.
func (q *jsonPath) find(root *Node) ([]found, bool) {
	f := &finder{root: root}
	out := f.query(q, root)
	return out, f.steps <= maxPathSteps
}

func (f *finder) query(q *jsonPath, current *Node) []found {
	at := []found{{node: f.root}}
	if q.relative {
		at[0].node = current
	}
	for _, s := range q.segments {
		var next []found
		for _, x := range at {
			if f.steps > maxPathSteps {
				return nil
			}
			if s.descend {
				f.descend(x.node, s.selectors, &next)
			} else {
				f.children(x.node, s.selectors, &next)
			}
		}
		at = next
	}
	return at
}

func (f *finder) descend(n *Node, s []selector, out *[]found) {
	if f.steps > maxPathSteps {
		return
	}
	f.children(n, s, out)
	for _, x := range n.Items {
		f.descend(x, s, out)
	}
	for i := range n.Members {
		f.descend(n.Members[i].Value, s, out)
	}
}

func (f *finder) children(n *Node, list []selector, out *[]found) {
	for i := range list {
		if f.steps += 1 + len(n.Items) + len(n.Members); f.steps > maxPathSteps {
			return
		}
		switch s := &list[i]; s.kind {
		case 'n':
			if x := n.Get(s.name); x != nil {
				*out = append(*out, found{x, n})
			}
		case 'i':
			k := *s.start
			if k < 0 {
				k += int64(len(n.Items))
			}
			if k >= 0 && k < int64(len(n.Items)) {
				*out = append(*out, found{n.Items[k], n})
			}
		case 's':
			s.slice(n, out)
		default:
			each := func(x *Node) {
				if s.kind == '*' || f.holds(s.filter, x) {
					*out = append(*out, found{x, n})
				}
			}
			for _, x := range n.Items {
				each(x)
			}
			for i := range n.Members {
				each(n.Members[i].Value)
			}
		}
	}
}

// slice selects the items of §2.3.4.2.2.
func (s *selector) slice(n *Node, out *[]found) {
	size, step := int64(len(n.Items)), int64(1)
	if s.step != nil {
		step = *s.step
	}
	if step == 0 || size == 0 {
		return
	}
	bound := func(v *int64, def int64) int64 {
		switch {
		case v == nil:
			return def
		case *v < 0:
			return *v + size
		}
		return *v
	}
	if step > 0 {
		from, to := max(bound(s.start, 0), 0), min(bound(s.end, size), size)
		for i := from; i < to; i += step {
			*out = append(*out, found{n.Items[i], n})
			if i > math.MaxInt64-step {
				break
			}
		}
		return
	}
	from, to := min(bound(s.start, size-1), size-1), max(bound(s.end, -1), -1)
	if s.end == nil {
		to = -1
	}
	for i := from; i > to; i += step {
		*out = append(*out, found{n.Items[i], n})
	}
}
