package tree

import (
	"math"
	"slices"

	"github.com/weftcodec/weft/internal/mem"
)

// Builder makes documents, one by one. A format keeps one and walks its
// text once: it pushes the cells of the values of open containers on the stack and
// replaces them by the cell of the container when that is closed.
type Builder struct {
	Stack  Buf // of cells
	Text   Buf
	Frames []Frame
	Loose  []string // names of open objects for which there are no nodes

	words  Buf
	shapes []*Shape
	names  names
	loose  [64]string
	epoch  uint64
	lazy   [][]byte
	used   int // bytes of memory that the document before has needed
	open   Opener
	input  []byte // what the text is, nil for a text of the document's own
}

// Frame is what is to be gone on with when a container is closed.
type Frame struct {
	Node  *Node
	Mark  int // where on the stack the cells of the container around begin
	Loose int // how many loose names there were
	Left  int // how many values are to come in the container around
	Map   bool
}

// Buf is memory that is written without a check of bounds: what writes looks at Cap
// before, and calls Grow.
type Buf struct {
	B   mem.Bytes
	N   int // bytes in use
	Cap int // bytes there are
	mem []byte
}

// Grow makes room for n more bytes.
func (b *Buf) Grow(n int) {
	p := mem.MakeNoZero(max(2*b.Cap, b.N+n, 512))
	p = p[:cap(p)]
	copy(p, b.mem[:b.N])
	b.mem, b.B, b.Cap = p, mem.BytesOf(p), len(p)
}

// kept is how much of its memory a Buf keeps for the next document.
const kept = 64 << 20

// NewBuilder returns a builder.
func NewBuilder() *Builder {
	b := new(Builder)
	b.names.init()
	return b
}

// Begin begins a document.
func (b *Builder) Begin() {
	b.epoch++
	b.input = nil
	b.Stack.N, b.Text.N, b.words.N = 0, 0, 0
	if b.names.full {
		b.names.reset()
	}
}

// Alias makes the input the text of the document, which has just begun: what is in it
// is not copied.
func (b *Builder) Alias(input []byte) { b.input = input }

// End ends the document whose value is root, and returns it: nil where the cell
// says it all.
func (b *Builder) End(root Cell) *Doc {
	if t := root.Tag(); t <= TagInt {
		b.input = nil
		return nil
	}
	words := b.words.N
	d, m := newDoc(words + b.Text.N)
	copy(m, b.words.mem[:words])
	copy(m[words:], b.Text.mem[:b.Text.N])
	d.mem, d.text = mem.BytesOf(m), mem.BytesOf(m[words:])
	if b.input != nil {
		d.text = mem.BytesOf(b.input)
	}
	if len(b.shapes) <= len(d.few) {
		d.shapes = d.few[:copy(d.few[:], b.shapes)]
	} else {
		d.shapes = slices.Clone(b.shapes)
	}
	if len(b.lazy) > 0 {
		b.keepLazy(d)
	}
	b.Drop()
	return d
}

// newDoc returns a document and its memory of n bytes, at an address that eight
// divides. Small ones are one piece with it.
func newDoc(n int) (*Doc, []byte) {
	switch {
	case n <= 64:
		d := new(roomy[[64]byte])
		return &d.Doc, d.room[:n]
	case n <= 128:
		d := new(roomy[[128]byte])
		return &d.Doc, d.room[:n]
	case n <= 192:
		d := new(roomy[[192]byte])
		return &d.Doc, d.room[:n]
	case n <= 320:
		d := new(roomy[[320]byte])
		return &d.Doc, d.room[:n]
	case n <= 1<<10:
		return new(Doc), make([]byte, n)
	}
	return new(Doc), mem.MakeNoZero(n)[:n]
}

type roomy[room any] struct {
	Doc
	room room
}

// Memory returns how many bytes the builder keeps for the next document, and how many of
// them a document has needed since Memory was called before.
func (b *Builder) Memory() (kept, used int) {
	used, b.used = b.used, 0
	return b.words.Cap + b.Text.Cap + b.Stack.Cap, used
}

// Drop ends the document without making it.
func (b *Builder) Drop() {
	b.used += b.words.N + b.Text.N
	if len(b.shapes) > MaxShared { // a few are not burden, and likely to come again
		clear(b.shapes)
	}
	if len(b.Loose)+len(b.lazy) > 0 {
		clear(b.Loose)
		clear(b.lazy)
		b.lazy = b.lazy[:0]
	}
	b.shapes, b.Loose, b.input = b.shapes[:0], b.Loose[:0], nil
	if b.words.Cap+b.Text.Cap+b.Stack.Cap > kept {
		b.words, b.Text, b.Stack = Buf{}, Buf{}, Buf{}
	}
}

// far appends words and returns the far cell for them.
func (b *Builder) far(code int, words ...uint64) Cell {
	w := &b.words
	if w.Cap-w.N < 8*len(words) {
		w.Grow(8 * len(words))
	}
	at := w.N / 8
	for _, x := range words {
		w.B.SetU64(w.N, x)
		w.N += 8
	}
	return Cell(TagFar<<48 | uint64(code)<<40 | uint64(at))
}

// SmallInt returns the cell of a small integer.
func SmallInt(i int8) Cell { return Cell(uint64(i)&(1<<48-1) | TagInt<<48) }

// Int returns the cell of an integer.
func (b *Builder) Int(i int64) Cell {
	if i<<16>>16 == i {
		return Cell(uint64(i)&(1<<48-1) | TagInt<<48)
	}
	w := &b.words
	if w.Cap-w.N < 8 {
		w.Grow(8)
	}
	at := w.N / 8
	w.B.SetU64(w.N, uint64(i))
	w.N += 8
	return Cell(TagFar<<48 | FarInt<<40 | uint64(at))
}

// Uint returns the cell of an integer that is not an int64.
func (b *Builder) Uint(u uint64) Cell { return b.far(FarUint, u) }

// Float returns the cell of a float.
func (b *Builder) Float(f float64) Cell {
	if u := math.Float64bits(f); u < tagged {
		return Cell(u)
	}
	return b.far(FarFloat, math.Float64bits(f))
}

// Time returns the cell of an instant.
func (b *Builder) Time(sec int64, nsec int) Cell { return b.far(FarTime, uint64(sec), uint64(nsec)) }

// ShortText is the length up to which a text has a cell of its own; see
// [StringCell].
const ShortText = most

// StringCell returns the cell of the string of n bytes that begins at i of the
// text, n being at most [ShortText].
func StringCell(i, n int) Cell { return Cell(uint64(i)<<16 | uint64(n) | TagString<<48) }

// LongString is StringCell for strings of any length.
func (b *Builder) LongString(i, n int) Cell {
	if n <= ShortText {
		return StringCell(i, n)
	}
	return b.far(FarString, uint64(i), uint64(n))
}

// AppendText appends to the text and returns where it begins.
func (b *Builder) AppendText(s []byte) int {
	t := &b.Text
	if t.Cap-t.N < len(s) {
		t.Grow(len(s))
	}
	at := t.N
	copy(t.mem[at:], s)
	t.N += len(s)
	return at
}

// Keep returns where s, which stands at i of the input, begins in the text.
func (b *Builder) Keep(s []byte, i int) int {
	if b.input != nil {
		return i
	}
	return b.AppendText(s)
}

// String returns the cell of a string that is not in the input.
func (b *Builder) String(s []byte) Cell {
	if b.input != nil {
		return b.own(FarOwnString, s)
	}
	return b.LongString(b.AppendText(s), len(s))
}

// own puts a text among the words and returns the far cell for it.
func (b *Builder) own(code int, s []byte) Cell {
	w := &b.words
	n := 8 + (len(s)+7)&^7
	if w.Cap-w.N < n {
		w.Grow(n)
	}
	at := w.N
	w.B.SetU64(at, uint64(len(s)))
	copy(w.mem[at+8:], s)
	clear(w.mem[at+8+len(s) : at+n])
	w.N += n
	return Cell(TagFar<<48 | uint64(code)<<40 | uint64(at/8))
}

// Bytes returns the cell of the string of bytes that is n bytes of the text from i.
func (b *Builder) Bytes(i, n int) Cell { return b.far(FarBytes, uint64(i), uint64(n)) }

// Ext returns the cell of the extension whose data are n bytes of the text from i.
func (b *Builder) Ext(typ int64, i, n int) Cell {
	return b.far(FarExt, uint64(i), uint64(n), uint64(typ))
}

// Number returns the cell of the number that valid text is.
func (b *Builder) Number(text []byte) Cell {
	switch form, u := ParseNumber(text); form {
	case FormInt:
		return b.Int(int64(u))
	case FormUint:
		return b.Uint(u)
	case FormFloat:
		return Cell(u)
	}
	return b.NumberText(text)
}

// NumberText returns the cell of a number that is kept as its text.
func (b *Builder) NumberText(text []byte) Cell {
	if b.input != nil {
		return b.own(FarOwnNumber, text)
	}
	at := b.AppendText(text)
	if len(text) <= ShortText {
		return Cell(uint64(at)<<16 | uint64(len(text)) | TagNumber<<48)
	}
	return b.far(FarNumber, uint64(at), uint64(len(text)))
}

// Push pushes a cell.
func (b *Builder) Push(c Cell) {
	s := &b.Stack
	if s.N == s.Cap {
		s.Grow(8)
	}
	s.B.SetU64(s.N, uint64(c))
	s.N += 8
}

// block moves the cells from..to of the stack, in bytes, and returns where they stand.
func (b *Builder) block(from, to int) int {
	w := &b.words
	n, at := to-from, w.N
	if w.Cap-at < n {
		w.Grow(n)
	}
	w.N = at + n
	if n > 64 {
		copy(w.mem[at:at+n], b.Stack.mem[from:to])
		return at / 8
	}
	src, dst := b.Stack.B, w.B
	for k := 0; k < n; k += 8 {
		dst.SetU64(at+k, src.U64(from+k))
	}
	return at / 8
}

// farBlock is block with a word before the cells, and returns where that stands.
func (b *Builder) farBlock(from, to int, head uint64) int {
	w := &b.words
	if w.Cap-w.N < 8 {
		w.Grow(8)
	}
	w.B.SetU64(w.N, head)
	w.N += 8
	return b.block(from, to) - 1
}

// List returns the cell of the list of the cells from..to of the stack, in bytes.
func (b *Builder) List(from, to int) Cell {
	n := (to - from) / 8
	if n > most {
		return Cell(TagFar<<48 | FarList<<40 | uint64(b.farBlock(from, to, uint64(n))))
	}
	return Cell(uint64(b.block(from, to))<<16 | uint64(n) | TagList<<48)
}

// EmptyMap returns the cell of the map without members.
const EmptyMap = Cell(TagMap<<48 | 0xffff)

// Map returns the cell of the map whose names are n's, or the loose ones from a
// number on, and whose values are the cells from..to of the stack, in bytes.
func (b *Builder) Map(n *Node, loose, from, to int) Cell {
	if n.epoch == b.epoch && n.index <= most {
		return Cell(uint64(b.block(from, to))<<16 | uint64(n.index) | TagMap<<48)
	}
	return b.newMap(n, loose, from, to)
}

// newMap is Map for a shape that the document may not have yet.
func (b *Builder) newMap(n *Node, loose, from, to int) Cell {
	shape := n.index
	if n.epoch != b.epoch {
		if n == &b.names.free {
			return b.looseMap(b.Loose[loose:], from, to)
		}
		if shape = b.shapeOf(n); shape < 0 {
			b.loosen(n.parent, n.Name)
			return b.looseMap(b.Loose[loose:], from, to)
		}
	}
	return b.mapOf(shape, from, to)
}

func (b *Builder) mapOf(shape, from, to int) Cell {
	if shape > most {
		return Cell(TagFar<<48 | FarMap<<40 | uint64(b.farBlock(from, to, uint64(shape))))
	}
	return Cell(uint64(b.block(from, to))<<16 | uint64(shape) | TagMap<<48)
}

// looseMap returns the cell of a map with the given names, which are loose no more.
// Of several values of one name the last stands in the place of the first.
func (b *Builder) looseMap(names []string, from, to int) Cell {
	s := NewShape(slices.Clone(names))
	if !s.Distinct() {
		index := make(map[string]int, len(names))
		k := 0
		for i, name := range names {
			x := b.Stack.B.U64(from + 8*i)
			at, ok := index[name]
			if !ok {
				at = k
				index[name] = at
				s.Names[at] = name
				k++
			}
			b.Stack.B.SetU64(from+8*at, x)
		}
		s = NewShape(slices.Clone(s.Names[:k]))
		to = from + 8*k
	}
	left := b.Loose[:len(b.Loose)-len(names)]
	clear(names)
	b.Loose = left
	return b.mapOf(b.addShape(s), from, to)
}
