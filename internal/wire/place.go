package wire

import "github.com/weftcodec/weft/internal/mem"

// Place is where a text stands in a greater one, of which a coder that is given it tells positions.
type Place struct {
	Offset int64   // of the text
	In     Nesting // finds the arrays and objects around it, nil for none
	Before []byte  // what In looks at: the greater text up to the text
	Text   *Text   // the greater text, if a decoder is to read the value at Index of it and nothing else
	Index  int
	Buf    []byte // what an encoder is to append to, instead of writing; nil for nothing
	Naming bool   // the name of a member is expected
	Nested int    // methods and functions around, of an encoder
	Alone  bool   // no line break follows the whole text
	Level  int    // pointers, maps and slices around
	Deep   bool   // something within is so deep that it has to be looked for cycles
}

// Nesting finds the arrays and objects that are open at the end of a text, which may stand in another one. It is asked
// in the order of the texts.
type Nesting interface {
	Depth(before []byte) int                                      // how many there are
	Level(before []byte, i int) (object bool, count int64)        // see [Stack]
	AppendPointer(b, before []byte, which int, more int64) []byte // see [Stack]
}

// Depth returns how many arrays and objects are around p, which may be nil.
func (p *Place) Depth() int {
	if p == nil || p.In == nil {
		return 0
	}
	return p.In.Depth(p.Before)
}

// LevelAt describes the i-th of them as it is before p; 0 is the stream.
func (p *Place) LevelAt(i int) (object bool, count int64) {
	if p == nil || p.In == nil {
		return false, 0
	}
	return p.In.Level(p.Before, i)
}

// AppendPointer appends the pointer to a value in the innermost of them, of which more tokens have been taken than
// before p.
func (p *Place) AppendPointer(b []byte, which int, more int64) []byte {
	if p == nil || p.In == nil {
		return b
	}
	return p.In.AppendPointer(b, p.Before, which, more)
}

// Which value a pointer leads to.
const (
	Previous = -1 // the token before
	Around   = 0  // the array or object, or the member between its name and its value
	Next     = +1 // the value that is expected, or the object where a name is expected
)

// Step returns the index of that value in an array of which count tokens have been taken. It reports false if it is the
// array, or the object, itself.
func Step(object bool, count int64, which int) (index int64, ok bool) {
	named := object && count%2 != 0
	switch which {
	case Previous:
		return count - 1, count > 0
	case Around:
		return count - 1, named
	}
	return count, named || !object
}

// Text is a text as [Scan] has marked it, which is JSON without what its readers refuse.
type Text struct {
	B     mem.Bytes // with [KeyPad] zero bytes after it
	S, NW mem.Words
	Bytes []byte // the text as it was given
	UTF8  bool   // it is UTF-8 as a whole
	Owner any    // what has checked it
}

// Reading and Writing are embedded in coders of tokens. Their methods are for package json: nobody outside of the
// module is an Insider.
type (
	Reading struct{ reads Reads }
	Writing struct{ writes Writes }
	Insider struct{}
)

// ReadingOf returns what a decoder embeds.
func ReadingOf(d Reads) Reading { return Reading{d} }

// Inside returns what the decoder does for values of Go.
func (r *Reading) Inside(Insider) Reads { return r.reads }

// WritingOf returns what an encoder embeds.
func WritingOf(e Writes) Writing { return Writing{e} }

// Inside returns what the encoder does for values of Go.
func (w *Writing) Inside(Insider) Writes { return w.writes }

// Stack is where a coder of tokens is.
type Stack interface {
	Lend(on bool)                  // says that a method or function begins or ends to use it, which must not reset it
	Naming() bool                  // reports whether the name of a member is expected
	Count() (depth int, own int64) // is StackDepth and StackIndex without what is around the text

	StackDepth() int
	// Level is StackIndex: whether the i-th level is an object, and how many tokens of it have been taken.
	Level(i int) (object bool, count int64)
	// AppendPointer appends the pointer to a value in the innermost level, of which more tokens have been taken.
	AppendPointer(b []byte, which int, more int64) []byte
	// Where returns where it stands, and the pointer of an error of a method before which Count returned depth and own.
	Where(depth int, own int64) (at Stand, pointer string)
	// Left tells where the error with which the last value ended has left it.
	Left(at Stand)
}

// Stand is where a coder of encoding/json/v2 stands: an error leaves it within the value.
type Stand struct {
	Offset  int64  // of what was read last, or is written next
	Depth   int    // arrays and objects that are open
	Count   int64  // tokens taken in the innermost one
	Pointer string // to that, or to the member between its name and its value: see [Around]
}

// Reads is what a decoder of tokens does for values of Go.
type Reads interface {
	Stack
	Text() *Text        // what it shares, nil for nothing
	Next() int          // returns the index of the next value, or -1 if ReadValue tells why there is none
	Pass(i, end int)    // takes the value at i as read; its end may be -1 if it is found when it is asked for
	Last() (i, end int) // returns where the last token or value stands
	Ends()              // takes the end of the last value, if that is an array or object, as the last token
	Begin()             // begins to read the value at its place, as the next one
	Done()              // ends the sharing
	Trailing() error    // returns what is wrong with what follows the last value, if the input is to have one
}

// Writes is what an encoder of tokens does for values of Go.
type Writes interface {
	Stack
	Plain() bool                   // reports whether values are written as they are given
	Shared() *Place                // returns the place of which it appends to the buffer, nil if it writes
	Write(b []byte, s bool) error  // is WriteValue for a value of Go, with s for one whose strings are as they should be
	Open() []byte                  // returns the buffer, to which a value is appended next, after its delimiter
	Close(b []byte, ok bool) error // takes the buffer back with a value that is JSON, or without one
	Begin()                        // begins to write a value at its place, as the next one
	Written() []byte               // returns the buffer, to which the value has been appended
	Done()                         // ends the sharing
	Begins() int64                 // returns the offset of the next value, after its delimiter
}

// IOError is an error of a reader or a writer.
type IOError struct {
	What string
	Err  error
}

// Error returns the text of the error.
func (e *IOError) Error() string { return "jsontext: " + e.What + " error: " + e.Err.Error() }

// Unwrap returns the error of the reader or the writer.
func (e *IOError) Unwrap() error { return e.Err }

// PlaceOf returns the place of what a reader or writer stands for, nil if it does not tell.
func PlaceOf(v any) *Place {
	if p, ok := v.(interface{ Place() *Place }); ok {
		return p.Place()
	}
	return nil
}
