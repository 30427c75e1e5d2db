// Package trail finds where values stand in a document of a binary format, and the ways to them, by walking it again:
// reading it need not keep track.
package trail

import (
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
)

// Grammar is what a format says of its items.
type Grammar struct {
	Head  func(b []byte, i int) Head      // of the item at b[i:]
	Skip  func(b []byte, i int) int       // returns the index after the value at i, negative if it is not whole
	Key   func(p, b []byte, i int) []byte // appends the key at i as a reference token
	IsKey func(b []byte, i int) bool      // reports whether a key that has a text begins at i and is whole
	Most  int                             // levels that a path goes through: it is as long as it gets then
}

// Head is how an item begins, and where what comes next begins: behind a scalar, or within what has values.
type Head struct {
	Kind Kind
	N    int // values of a List, pairs of a Map, negative for what an End ends
	Next int
}

// Kind is what an item is.
type Kind uint8

// The kinds of items. A Tag is about the one value in it.
const (
	Invalid Kind = iota
	Scalar
	List
	Map
	Tag
	End
)

// MaxPath bounds the bytes of a path in an error.
const MaxPath = 1 << 10

// step is one level on the way to a value.
type step struct {
	left int // values to come in it, a pair counting two, negative for what an End ends
	pos  int // values begun
	kind Kind
	key  int // offset of the current key
}

// Walker goes through a document from one offset to another.
type Walker struct {
	of    *Grammar
	b     []byte
	i     int
	past  int // where the item at i ends, if it is known to be behind the last offset
	stack []step
	ended bool
}

// Walk returns a Walker at the beginning of b.
func (g *Grammar) Walk(b []byte) *Walker { return &Walker{of: g, b: b} }

// Path returns the JSON pointer to the value at offset off, or to the one that cannot be read there.
func (g *Grammar) Path(b []byte, off int) string { return g.Walk(b).To(off) }

// Last returns where the last value before off begins of those that lie in so many containers.
func (g *Grammar) Last(b []byte, off, depth int) (start int) {
	g.Walk(b).walk(off, func(i, open int) {
		if open == depth {
			start = i
		}
	})
	return start
}

// To is [Grammar.Path] from where the walk has ended before on.
func (w *Walker) To(off int) string {
	w.walk(off, func(int, int) {})
	return w.pointer(off)
}

// walk goes on to the value at off, and tells each of the values that begin before, and how many levels are around it.
func (w *Walker) walk(off int, each func(i, open int)) {
	for !w.ended && w.i < off && w.past <= off && w.i < len(w.b) {
		each(w.i, len(w.stack))
		h := w.of.Head(w.b, w.i)
		if (h.Kind == List || h.Kind == Map || h.Kind == Tag) && len(w.stack) == w.of.Most {
			h = Head{Kind: Scalar, Next: w.of.Skip(w.b, w.i)}
		}
		switch {
		case h.Kind == Invalid || h.Next < 0 || h.Kind == End && len(w.stack) == 0:
			w.ended = true
			return
		case h.Kind == Scalar && h.Next > off:
			w.past = h.Next
			return
		case h.Kind == End:
			w.stack = w.stack[:len(w.stack)-1]
		case h.Kind != Scalar:
			if h.Kind == Map {
				h.N *= 2
			}
			w.stack = append(w.stack, step{left: h.N, kind: h.Kind})
		}
		w.i = h.Next
		w.next()
	}
}

// next moves to the value at w.i, out of the levels that are finished.
func (w *Walker) next() {
	for len(w.stack) > 0 {
		s := &w.stack[len(w.stack)-1]
		if s.left < 0 && w.i < len(w.b) && w.of.Head(w.b, w.i).Kind == End {
			return
		}
		if s.left != 0 {
			if s.kind == Map && s.pos%2 == 0 {
				s.key = w.i
			}
			s.left--
			s.pos++
			return
		}
		w.stack = w.stack[:len(w.stack)-1]
	}
	w.ended = true
}

// pointer writes the way through the levels to what stands at off. The place of a key is that of its member.
func (w *Walker) pointer(off int) string {
	var p []byte
	for i := range w.stack {
		s := &w.stack[i]
		switch {
		case len(p) > MaxPath || i == w.of.Most-1:
			return string(append(p, "/…"...))
		case s.kind == Tag:
		case s.pos == 0:
			return string(p)
		case s.kind == Map && s.pos%2 == 1:
			if s.key == off && w.of.IsKey(w.b, off) {
				p = w.of.Key(p, w.b, off)
			}
			return string(p)
		case s.kind == Map:
			p = w.of.Key(p, w.b, s.key)
		default:
			p = strconv.AppendInt(append(p, '/'), int64(s.pos-1), 10)
		}
	}
	return string(p)
}

// each calls found with the reference tokens and places of the elements or members of the value at i that begin before
// end.
func (g *Grammar) each(b []byte, i, end int, found func(token string, i int)) {
	h := g.Head(b, i)
	for h.Kind == Tag {
		h = g.Head(b, h.Next)
	}
	if h.Kind != List && h.Kind != Map {
		return
	}
	for k, i := 0, h.Next; i >= 0 && i < end && k != h.N; k++ {
		if h.N < 0 && g.Head(b, i).Kind == End {
			return
		}
		token := strconv.Itoa(k)
		if h.Kind == Map {
			token = wire.UnescapeToken(string(g.Key(nil, b, i)[1:]))
			if i = g.Skip(b, i); i < 0 || i >= end {
				return
			}
		}
		found(token, i)
		i = g.Skip(b, i)
	}
}

// Parts returns where the elements or the last members of each name of the value at i begin, by reference tokens.
func (g *Grammar) Parts(b []byte, i int) map[string]int {
	parts := make(map[string]int)
	g.each(b, i, len(b), func(token string, i int) { parts[token] = i })
	return parts
}

// Below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (g *Grammar) Below(b []byte, i int, pointer string) int {
	return wire.FollowPointer(i, pointer, func(i int, token string) int {
		if at, ok := g.Parts(b, i)[token]; ok {
			return at
		}
		return -1
	})
}

// Member returns the offset of the last member, before end, of the struct at i with one of the names, else that of its
// element with the index, else i.
func (g *Grammar) Member(b []byte, i, end int, name string, index int) int {
	found, number := i, strconv.Itoa(index)
	named := false
	g.each(b, i, end, func(token string, i int) {
		if token == name || token == number && !named {
			found, named = i, token == name
		}
	})
	return found
}
