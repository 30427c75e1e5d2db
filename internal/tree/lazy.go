package tree

import "sync/atomic"

// Lazy is a list or a map of which there is the text alone, known to be valid, until
// somebody looks into it.
type Lazy struct {
	text   []byte
	open   Opener
	opened atomic.Pointer[opened]
}

// Opener reads text that is known to be valid, one level deep: what is large in it
// becomes lazy again.
type Opener func(text []byte) (*Doc, Cell)

type opened struct {
	doc  *Doc
	cell Cell
}

// Text returns the text, which must not be changed.
func (l *Lazy) Text() []byte { return l.text }

// IsMap reports whether it is a map.
func (l *Lazy) IsMap() bool { return l.text[0] == '{' }

// Open returns what the text says, the same at each call.
func (l *Lazy) Open() (*Doc, Cell) {
	x := l.opened.Load()
	if x == nil {
		x = new(opened)
		x.doc, x.cell = l.open(l.text)
		if !l.opened.CompareAndSwap(nil, x) {
			x = l.opened.Load()
		}
	}
	return x.doc, x.cell
}

// Lazy returns the cell of a list or a map of which the text is kept as it is.
func (b *Builder) Lazy(text []byte, open Opener) Cell {
	b.lazy, b.open = append(b.lazy, text), open
	return Cell(TagFar<<48 | FarLazy<<40 | uint64(len(b.lazy)-1))
}

// keepLazy moves what is lazy into d.
func (b *Builder) keepLazy(d *Doc) {
	lazy := make([]Lazy, len(b.lazy))
	for i, text := range b.lazy {
		lazy[i].text, lazy[i].open = text, b.open
	}
	d.lazy = &lazy
}

// Lazy returns the i-th part that has not been read.
func (d *Doc) Lazy(i int) *Lazy { return &(*d.lazy)[i] }
