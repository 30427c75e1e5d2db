package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on a pattern's text. They are far above what people write, and keep what is made of a pattern small.
const (
	maxDepth  = 250     // groups within groups: parsing and compiling recurse
	maxRanges = 1 << 16 // of code points, in all sets together
)

// op is what a node of the tree matches.
type op byte

const (
	opEmpty   op = iota // nothing
	opSet               // a code point of set
	opConcat            // subs, one by one
	opChoice            // any of subs
	opRepeat            // subs[0], min to max times; no bound where max is -1
	opBegin             // the begin of the string
	opEnd               // its end
	opLine              // the begin of a line
	opLineEnd           // the end of a line
	opWord              // a boundary of a word
	opInWord            // no boundary of a word
	opAhead             // subs[0] matches here, min times: once or not at all; only after ^ at the begin of a pattern
)

// node is a node of the tree of a pattern.
type node struct {
	op       op
	offset   int // in the pattern
	set      set
	number   int32 // of the set, among those of a program; 0 until it has one
	subs     []*node
	min, max int
}

// flags are what (?…) switches within a group.
type flags struct{ fold, dotAll, lines bool }

type parser struct {
	src        string
	i          int
	depth      int
	ahead      int // where look-ahead may stand
	ranges     int
	flags      flags
	emptyClass bool // [] was seen
	properties map[string]set
}

// parse returns the tree of the pattern src.
func parse(src string) (tree *node, err error) {
	p := parser{src: src}
	defer func() {
		if e, ok := recover().(*Error); ok {
			err = e
		}
	}()
	for i, r := range src {
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], "\ufffd") {
			p.fail(i, "not UTF-8")
		}
	}
	if strings.HasPrefix(src, "^") {
		p.ahead = 1
	}
	tree = p.choice()
	if p.i < len(src) {
		p.fail(p.i, "a ) without its (; write \\)")
	}
	if tree.op == opChoice && p.ahead > 1 { // it is of one alternative
		p.fail(1, noAhead)
	}
	return tree, nil
}

// fail ends parsing with an error; parse returns it.
func (p *parser) fail(offset int, text string) { panic(&Error{p.src, offset, text}) }

// take reports whether prefix comes next, and skips it.
func (p *parser) take(prefix string) bool {
	ok := strings.HasPrefix(p.src[p.i:], prefix)
	if ok {
		p.i += len(prefix)
	}
	return ok
}

func (p *parser) next() rune {
	r, n := utf8.DecodeRuneInString(p.src[p.i:])
	p.i += n
	return r
}

// choice parses alternatives, up to a closing parenthesis or the end. Flags that are switched in it end with it.
func (p *parser) choice() *node {
	outer := p.flags
	n := &node{op: opChoice, offset: p.i}
	for {
		n.subs = append(n.subs, p.sequence())
		if !p.take("|") {
			break
		}
	}
	p.flags = outer
	if len(n.subs) == 1 {
		return n.subs[0]
	}
	return n
}

func (p *parser) sequence() *node {
	n := &node{op: opConcat, offset: p.i}
	for p.i < len(p.src) && p.src[p.i] != '|' && p.src[p.i] != ')' {
		n.subs = append(n.subs, p.term())
	}
	if len(n.subs) == 1 {
		return n.subs[0]
	}
	return n
}

// term parses an assertion, or an atom with its quantifier.
func (p *parser) term() *node {
	start := p.i
	min, max := 0, 0
	if p.quantifier(&min, &max) {
		p.fail(start, "nothing to repeat before "+p.src[start:p.i])
	}
	n := p.atom()
	for p.quantifier(&min, &max) {
		if n.op >= opBegin || n.op == opRepeat && n.offset == start {
			p.fail(start, "what cannot be repeated: "+p.src[start:p.i])
		}
		p.take("?") // lazy: how much matches does not count
		n = &node{op: opRepeat, offset: start, subs: []*node{n}, min: min, max: max}
	}
	return n
}

// quantifier parses a quantifier, if one comes next.
func (p *parser) quantifier(min, max *int) bool {
	switch {
	case p.take("*"):
		*min, *max = 0, -1
	case p.take("+"):
		*min, *max = 1, -1
	case p.take("?"):
		*min, *max = 0, 1
	case strings.HasPrefix(p.src[p.i:], "{"):
		return p.braces(min, max)
	default:
		return false
	}
	return true
}

// braces parses {n}, {n,} or {n,m}. Another brace is a character.
func (p *parser) braces(min, max *int) bool {
	start := p.i
	p.i++
	lo, some := p.number()
	hi, more := lo, true
	comma := p.take(",")
	if comma {
		if hi, more = p.number(); !more {
			hi = -1
		}
	}
	if !p.take("}") || !some && !comma {
		p.i = start
		return false
	}
	switch {
	case !some && more:
		p.fail(start, "a number is missing; write {0"+p.src[start+1:p.i])
	case !some:
		p.i = start
		return false
	case comma && more && hi < lo:
		p.fail(start, "numbers out of order in "+p.src[start:p.i])
	}
	*min, *max = lo, hi
	return true
}

// number parses digits. A number above what any pattern can have is as good as that bound.
func (p *parser) number() (n int, ok bool) {
	for ; p.i < len(p.src) && '0' <= p.src[p.i] && p.src[p.i] <= '9'; p.i++ {
		n, ok = min(n*10+int(p.src[p.i]-'0'), maxSteps+1), true
	}
	return n, ok
}

func (p *parser) atom() *node {
	start := p.i
	leaf := func(op op) *node { return &node{op: op, offset: start} }
	switch r := p.next(); r {
	case '^':
		if p.flags.lines {
			return leaf(opLine)
		}
		return leaf(opBegin)
	case '$':
		if p.flags.lines {
			return leaf(opLineEnd)
		}
		return leaf(opEnd)
	case '.':
		if p.flags.dotAll {
			return p.setNode(start, set{0, utf8.MaxRune})
		}
		return p.setNode(start, lineEnds.not())
	case '(':
		return p.group(start)
	case '[':
		return p.setNode(start, p.class(start))
	case ']':
		if p.emptyClass {
			p.fail(start, "a ] after a class [], which is empty; write \\]")
		}
		return p.literal(start, r)
	case '\\':
		switch {
		case p.take("b"):
			return leaf(opWord)
		case p.take("B"):
			return leaf(opInWord)
		}
		s, r := p.escape(start, false)
		if s == nil {
			return p.literal(start, r)
		}
		return p.setNode(start, s)
	default:
		return p.literal(start, r)
	}
}

func (p *parser) literal(start int, r rune) *node {
	s := set{r, r}
	if p.flags.fold {
		s = s.folded()
	}
	return p.setNode(start, s)
}

func (p *parser) setNode(start int, s set) *node {
	p.count(start, s)
	return &node{op: opSet, offset: start, set: s}
}

// count adds the ranges of s to those of the pattern, and fails where they are too many.
func (p *parser) count(start int, s set) {
	if p.ranges += len(s)/2 + 1; p.ranges > maxRanges {
		p.fail(start, "too many characters and classes")
	}
}

const noAhead = "look-ahead is not supported but after ^ at the begin; write the pattern without it"

// lookAhead parses the rest of a look-ahead. After ^ it says something of the string, as other patterns do.
func (p *parser) lookAhead(start, times int) *node {
	if start == 0 || start != p.ahead {
		p.fail(start, noAhead)
	}
	begin := &node{op: opBegin, offset: start}
	n := &node{op: opConcat, offset: start, subs: []*node{begin, p.inner(start)}}
	p.ahead = p.i
	return &node{op: opAhead, offset: start, subs: []*node{n}, min: times}
}

// group parses what follows an opening parenthesis.
func (p *parser) group(start int) *node {
	outer := p.flags
	if p.take("?") {
		switch {
		case p.take("="):
			return p.lookAhead(start, 1)
		case p.take("!"):
			return p.lookAhead(start, 0)
		case p.take("<="), p.take("<!"):
			p.fail(start, "look-behind is not supported; write the pattern without it")
		case p.take("<"), p.take("P<"):
			p.name(start)
		case p.switches(start):
			return &node{op: opEmpty, offset: start}
		}
	}
	n := p.inner(start)
	p.flags = outer
	if n.op == opRepeat || n.op >= opBegin { // of its own: a quantifier may follow
		n = &node{op: opConcat, offset: start, subs: []*node{n}}
	}
	return n
}

// inner parses the alternatives of a group, and the end of it.
func (p *parser) inner(start int) *node {
	if p.depth++; p.depth > maxDepth {
		p.fail(start, "groups nested too deeply")
	}
	n := p.choice()
	p.depth--
	if !p.take(")") {
		p.fail(start, "a ( without its ); write \\(")
	}
	return n
}

// name parses the rest of a group's name.
func (p *parser) name(start int) {
	for first := p.i; p.i < len(p.src); {
		switch r := p.next(); {
		case r == '>' && p.i > first+1:
			return
		case r == '_', r == '$', unicode.IsLetter(r), p.i > first+1 && (unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)):
		default:
			p.fail(start, "not a name of a group")
		}
	}
	p.fail(start, "not a name of a group")
}

// switches parses the flags of (?flags: or (?flags) and reports whether it was the latter: these hold for the rest of
// the group that it is in.
func (p *parser) switches(start int) bool {
	for on := true; p.i < len(p.src); {
		switch r := p.next(); r {
		case 'i':
			p.flags.fold = on
		case 's':
			p.flags.dotAll = on
		case 'm':
			p.flags.lines = on
		case '-':
			on = false
		case ':', ')':
			return r == ')'
		default:
			p.fail(start, "not a group of ECMA-262: "+p.src[start:p.i])
		}
	}
	p.fail(start, "a ( without its )")
	return false
}
