// Package tree stores whole documents compactly. Package value reads them; the formats fill them without importing
// value. A [Doc] is one piece of memory without pointers, in which each value is a [Cell] of eight bytes and the
// cells of a list or map are adjacent. The names of members are in shapes, which the maps of many documents share. A
// [Builder] makes a Doc in one pass.
package tree

import (
	"math"

	"github.com/weftcodec/weft/internal/mem"
)

// Doc is a document. It is immutable.
type Doc struct {
	mem    mem.Bytes // the words
	text   mem.Bytes // the text: it stands after the words, or is the input
	shapes []*Shape
	few    [2]*Shape // memory of shapes
	lazy   *[]Lazy
}

// Cell is a value of a document. A float is its own bits; what would be a NaN with
// its sign set is a tag and 48 bits:
//
//	TagSimple  one of Null, False and True, or a float32 with a bit above its own
//	TagInt     the integer, with its sign
//	TagString  where the string begins in the text, and in 16 bits its length
//	TagNumber  the text of a number, alike
//	TagList    where the first of its cells stands, and in 16 bits their number
//	TagMap     where the first of its cells stands, and in 16 bits the number of its shape
//	TagFar     what needs more: a code in 8 bits, and where its words stand
type Cell uint64

// The tags of cells.
const (
	TagSimple = iota + 0xfff1
	TagInt
	TagString
	TagNumber
	TagList
	TagMap
	TagFar
)

// The codes of far cells, and their words.
const (
	FarInt       = iota // the integer
	FarUint             // the integer
	FarFloat            // the bits
	FarString           // where it begins in the text, its length
	FarNumber           // alike
	FarBytes            // alike
	FarTime             // Unix seconds, nanoseconds
	FarExt              // where it begins in the text, its length, its type
	FarList             // the number of the cells, which follow
	FarMap              // the number of the shape; the cells follow
	FarLazy             // the number of a Lazy, in place of that of a word
	FarOwnString        // its length; the string itself follows
	FarOwnNumber        // alike
)

// The cells of simple values.
const (
	Null Cell = TagSimple<<48 + iota
	False
	True
)

// tagged is the least cell that is not a float.
const tagged = TagSimple << 48

// most is the greatest number that 16 bits of a cell hold as it is.
const most = 0xfffe

// Tag returns the tag of c, something less than TagSimple for a float.
func (c Cell) Tag() uint { return uint(c >> 48) }

// Float returns the float that c is.
func (c Cell) Float() float64 { return math.Float64frombits(uint64(c)) }

// IsFinite reports whether a cell that is a float is finite.
func (c Cell) IsFinite() bool { return c>>52&0x7ff != 0x7ff }

// single is the bit above those of a float32.
const single = 1 << 32

// SingleCell returns the cell of a float of 32 bits.
func SingleCell(f float32) Cell { return TagSimple<<48 | single | Cell(math.Float32bits(f)) }

// Float32 returns the float32 that a cell of TagSimple is; ok is false if it is none.
func (c Cell) Float32() (f float32, ok bool) { return math.Float32frombits(uint32(c)), c&single != 0 }

// Int returns the integer of a cell of TagInt.
func (c Cell) Int() int64 { return int64(c<<16) >> 16 }

// At returns where what c refers to stands: in the text, or among the words.
func (c Cell) At() int { return int(c >> 16 & 0xffffffff) }

// Small returns the 16 bits of a length, a number of cells or a number of a shape.
func (c Cell) Small() int { return int(c & 0xffff) }

// Far returns the code of a far cell, and where its words stand.
func (c Cell) Far() (code, at int) { return int(c >> 40 & 0xff), int(c & 0xffffffffff) }

// Word returns the i-th word.
func (d *Doc) Word(i int) uint64 { return d.mem.U64(8 * i) }

// Cell returns the i-th word, a cell.
func (d *Doc) Cell(i int) Cell { return Cell(d.mem.U64(8 * i)) }

// Text returns n bytes of the text from i.
func (d *Doc) Text(i, n int) string {
	if n == 0 {
		return "" // there may be no memory at i
	}
	return d.text.View(i, i+n)
}

// OwnText returns the text that stands among the words from at on.
func (d *Doc) OwnText(at int) string {
	n := int(d.Word(at))
	return d.mem.View(8*(at+1), 8*(at+1)+n)
}

// Bytes returns n bytes of the text from i, which must not be changed.
func (d *Doc) Bytes(i, n int) []byte {
	if n == 0 {
		return nil
	}
	return d.text.Slice(i, i+n)
}

// Shape returns the i-th shape.
func (d *Doc) Shape(i int) *Shape { return d.shapes[i] }

// Source is a reader of a format that makes trees.
type Source interface {
	// ReadTree reads the next value, unless the input is too long. The document is a *Doc,
	// nil where the cell, which is a Cell, says it all, and after an error. Readers are
	// exported by formats, so that the types are not named.
	ReadTree() (doc any, cell uint64, ok bool)
}

// MaxInput is the length of the longest input that a Doc is made of: each byte of it
// makes at most a word or a byte of text.
const MaxInput = math.MaxInt32
