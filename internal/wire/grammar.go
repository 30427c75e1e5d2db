package wire

import (
	"math/bits"
	"sync"
)

// HasValidJSON reports whether [ValidJSON] can be called: whether the processor has what it is written for.
func HasValidJSON() bool { return hasGrammar() }

// ValidJSON reports whether text is one JSON value of at most maxDepth arrays and objects inside each other,
// with any white space around it. As in encoding/json, strings may hold bytes that are not UTF-8.
//
// The text is looked at in blocks of 64 bytes, each a set of bit masks with a bit for a byte: which bytes are
// quotes, digits, dots and so on. The rules of the grammar say what may stand next to what, and are checked for
// all bytes of a block at once, by shifts and additions. Numbers are checked in these masks. For the rest the
// masks are packed so that a bit stands for a token: a bracket, a comma, a colon, a string, or a scalar, which
// is a number or a literal. Only brackets are then looked at one by one, as they nest.
func ValidJSON(text []byte, maxDepth int) bool {
	g := NewGrammar()
	g.dense = false
	ok := g.check(text, maxDepth)
	g.Release()
	return ok
}

// mostVerbatim is the length up to which [Verbatim] looks at texts: to look at longer ones, [Grammar] is as fast.
const mostVerbatim = 2 << 10

// Verbatim reports whether text is a short array or object that no compacting, nor the escaping that how asks for,
// changes. It misses some: it is for texts that come one by one between other work, when neither code nor tables of
// [Grammar] are in the cache.
func Verbatim(text []byte, how Escapes) bool {
	n := len(text)
	return Vectors() && 0 < n && n <= mostVerbatim && text[0]|0x20 == '{' && verbatim(&text[0], n, int(how))
}

// NewGrammar returns what checks texts, to be released.
func NewGrammar() *Grammar { return grammars.Get().(*Grammar) }

// Release lets others have g.
func (g *Grammar) Release() { grammars.Put(g) }

// Compact is [ValidJSON] for a text that must have no white space but in its strings.
func (g *Grammar) Compact(text []byte, maxDepth int) bool {
	g.dense = true
	return g.check(text, maxDepth)
}

// blockSize is the number of bytes in a block.
const blockSize = 64

// grammarChunk is the number of blocks that are looked at together.
const grammarChunk = 32

// tokenBits describes tokens, a bit of each list for a token.
type tokenBits struct {
	bracket [grammarChunk + 2]uint64
	second  [grammarChunk + 2]uint64 // among brackets those that open, among others commas and colons
	third   [grammarChunk + 2]uint64 // among brackets braces, among commas and colons colons, among others strings
}

// scalarWord describes a block of 64 bytes, a bit of each word for a byte. Without scalars the other
// words are undefined. A kernel may leave some of the last four to [scalarWord.find]. In the others, bits that are not
// of scalars are undefined, and of zeros those that are not of digits.
type scalarWord struct {
	scalars uint64 // all bytes outside of strings but for white space, brackets, commas and colons
	digits  uint64
	zeros   uint64
	dots    uint64
	es      uint64
	pluses  uint64
	minuses uint64
	spaces  uint64 // white space outside of strings, whether there are scalars or not
}

// grammarState is what the kernels pass from block to block.
type grammarState struct {
	count  uint64 // tokens that there are
	inside uint64 // all ones inside a string
	//lint:ignore U1000 the kernels use it
	scalar uint64 // 1 when the last byte is of a scalar
	//lint:ignore U1000 the kernels use it
	escaped uint64 // 1 when the next byte comes after a backslash
	//lint:ignore U1000 the kernels use it
	hex uint64 // the bytes of the next block that must be hexadecimal digits
	bad uint64 // not zero when the text is wrong
	any uint64 // not zero when there are scalars
	//lint:ignore U1000 the kernels use it
	full uint64 // 1 when most words are needed
	left uint64 // what is left out of the words: leftFew, leftMany or 0
}

// What a kernel may leave to [scalarWord.find].
const (
	leftFew  = 2 // es and pluses
	leftMany = 3 // and dots and minuses
)

// Grammar checks texts.
type Grammar struct {
	grammarState
	numbers
	nesting
	after   tokenMasks
	dense   bool            // no white space may be outside of strings
	none    [blockSize]byte // stands for a block without bytes
	scalars [grammarChunk]scalarWord
	tokens  tokenBits
}

var grammars = sync.Pool{New: func() any { return new(Grammar) }}

// check is ValidJSON.
func (g *Grammar) check(text []byte, maxDepth int) bool {
	g.grammarState = grammarState{}
	g.numbers = numbers{}
	g.after = tokenMasks{}
	g.nesting.reset(maxDepth)
	g.tokens.bracket[0], g.tokens.second[0], g.tokens.third[0] = 0, 0, 0
	at := 0
	// The end takes part even when it is empty: it ends a number.
	rest := len(text) & (blockSize - 1)
	for blocks := len(text)>>6 + 1; blocks > 0; {
		n, tail := min(blocks, grammarChunk), blockSize
		if blocks -= n; blocks == 0 {
			tail = rest
		}
		if !g.blocks(text, at, n, tail) {
			return false
		}
		at += n << 6
	}
	if g.inside != 0 {
		return false
	}
	return g.end(uint(g.count))
}

// blocks checks the n blocks at text[at:], of which the last has tail bytes.
func (g *Grammar) blocks(text []byte, at, n, tail int) bool {
	src := &g.none[0]
	if at < len(text) {
		src = &text[at]
	}
	g.any, g.full = 0, 0
	if g.often {
		g.full = 1
	}
	t := &g.tokens
	grammarBlocks(src, n, tail, &g.grammarState, t, &g.scalars[0])
	if g.bad != 0 || g.dense && !isDense(g.scalars[:n], tail) {
		return false
	}
	if g.any == 0 && !g.numbers.broken {
		g.numbers = numbers{}
	} else if !g.numbers.check(g.scalars[:n], text, at, g.left) {
		return false
	}
	full := g.count >> 6
	if full == 0 {
		return true
	}
	for i := range min(full, grammarChunk+1) {
		if !g.word(t.bracket[i], t.second[i], t.third[i], ^uint64(0)) {
			return false
		}
	}
	if full < grammarChunk+2 {
		t.bracket[0], t.second[0], t.third[0] = t.bracket[full], t.second[full], t.third[full]
	}
	g.count &= 63
	return true
}

// isDense reports whether there is no white space outside of the strings of blocks, of which the last has tail bytes.
func isDense(blocks []scalarWord, tail int) bool {
	last := len(blocks) - 1
	spaces := blocks[last].spaces & (1<<tail - 1)
	for i := range blocks[:last] {
		spaces |= blocks[i].spaces
	}
	return spaces == 0
}

// end checks the last n tokens, and that the value ends there.
func (g *Grammar) end(n uint) bool {
	if n > 0 {
		t := &g.tokens
		if !g.word(t.bracket[0], t.second[0], t.third[0], uint64(1)<<n-1) {
			return false
		}
	}
	return g.ended
}

// tokenMasks has the tokens of the word before of which something depends on the next.
type tokenMasks struct {
	end, open, brace, comma, name, first, item uint64
}

// follow returns the tokens after those in x; before are those in the word before.
func follow(x, before uint64) uint64 { return x<<1 | before>>63 }

// word checks 64 tokens, of which those of valid are there.
func (g *Grammar) word(bracket, second, third, valid uint64) bool {
	p := &g.after
	brackets := bracket & valid
	opening := brackets & second
	closing := brackets &^ opening
	curly := brackets & third
	others := valid &^ brackets
	colons := others & second & third
	marks := others & second // and commas
	commas := marks &^ colons
	strs := others &^ marks & third
	starts := others&^marks | opening // scalars, strings, arrays and objects
	ends := others&^marks | closing
	braces := opening & curly
	afterEnd := follow(ends, p.end)
	afterBrace := follow(braces, p.brace)
	afterComma := follow(commas, p.comma)
	first := strs & afterBrace // must be a name
	item := strs & afterComma  // may be one
	name := first | item
	// A value comes after a value only behind a comma or a colon, and these only behind a value.
	bad := starts&afterEnd | marks&^afterEnd | closing&^(afterEnd|follow(opening, p.open))
	// An object begins with a name, or ends; a colon comes after a name only.
	bad |= valid & afterBrace &^ (strs | closing)
	bad |= colons &^ follow(name, p.name)
	bad |= valid & follow(first, p.first) &^ colons
	// What shows that an array is around: a comma before something else than a name and its colon.
	inArray := valid & (afterComma&^strs | follow(item, p.item)&^colons)
	p.end, p.open, p.brace, p.comma, p.name, p.first, p.item = ends, opening, braces, commas, name, first, item
	if bad != 0 {
		return false
	}
	return g.nest(valid, brackets, closing, curly, colons, inArray)
}

// nesting follows the brackets.
type nesting struct {
	object uint64 // 1 inside an object
	stack  uint64 // those around, the nearest lowest
	depth  int
	limit  int
	begun  bool
	ended  bool
	saved  []uint64 // the stack at each multiple of 64
}

func (s *nesting) reset(limit int) {
	s.object, s.stack, s.depth, s.limit = 0, 0, 0, limit
	s.begun, s.ended = false, false
}

// nest checks that brackets match, and that each comma and colon is of the array or object around it: that none
// of the tokens inArray is in an object, and no colon in an array.
func (s *nesting) nest(valid, brackets, closing, curly, colons, inArray uint64) bool {
	if s.ended {
		return false
	}
	if !s.begun {
		s.begun = true
		if brackets&1 == 0 { // a scalar
			s.ended = true
			return valid == 1 && colons|inArray == 0
		}
		if s.limit <= 0 || closing&1 != 0 {
			return false
		}
		s.saved = append(s.saved[:0], 0)
		s.depth, s.object = 1, curly&1
		brackets &= brackets - 1
	}
	var interior, objects uint64
	if s.depth > 0 && s.depth < s.limit-64 && brackets&(brackets-1) != 0 {
		begins, ends, mixed := leaves(brackets, closing, curly)
		if mixed != 0 {
			return false
		}
		// The tokens of a pair from the one after it opens to the one that closes it.
		interior = (ends - begins) << 1
		objects = (ends&curly - begins&curly) << 1
		brackets &^= begins | ends
	}
	within := -s.object // the tokens in objects
	for rest := brackets; rest != 0; rest &= rest - 1 {
		at := uint(bits.TrailingZeros64(rest)) & 63
		kind := curly >> at & 1
		was := s.object
		if closing>>at&1 == 0 {
			if s.depth >= s.limit {
				return false
			}
			if s.depth&63 == 0 {
				s.saved = append(s.saved[:s.depth>>6], s.stack)
			}
			s.stack = s.stack<<1 | was
			s.depth++
			s.object = kind
		} else {
			if kind != was {
				return false
			}
			s.depth--
			s.object = s.stack & 1
			s.stack >>= 1
			if s.depth&63 == 0 {
				s.stack = s.saved[s.depth>>6]
				if s.depth == 0 {
					s.ended = true
					if valid>>at != 1 {
						return false
					}
				}
			}
		}
		within ^= -(s.object ^ was) << at << 1
	}
	within = within&^interior | objects
	return inArray&within|colons&^within == 0
}
