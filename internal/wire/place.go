package wire

import "github.com/weftcodec/weft/internal/mem"

// Place is where a text stands in a greater one, of which a coder that is given it tells positions.
type Place struct {
	Offset int64              // of the text
	Open   func() []OpenLevel // returns the arrays and objects around it, the outermost first; nil for none
	Text   *Text              // the greater text, if a decoder is to read the value at Index of it and nothing else
	Index  int
	Buf    []byte      // what an encoder is to append to, instead of writing; nil for nothing
	Naming bool        // the name of a member is expected
	Nested int         // methods and functions around, of an encoder
	Level  int         // pointers, maps and slices around
	Deep   bool        // something within is so deep that it has to be looked for cycles
	levels []OpenLevel // what Open has returned: the text does not move in the greater one
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

// Reads is what a decoder of tokens does for values of Go.
type Reads interface {
	Text() *Text                   // what it shares, nil for nothing
	Naming() bool                  // reports whether the name of a member is expected
	Next() int                     // returns the index of the next value, or -1 if ReadValue tells why there is none
	Pass(i, end int)               // takes the value at i as read; its end may be -1 if it is found when it is asked for
	Last() (i, end int)            // returns where the last token or value stands
	Count() (depth int, own int64) // is StackDepth and StackIndex without what is around the text
	Done()                         // ends the sharing
}

// Writes is what an encoder of tokens does for values of Go.
type Writes interface {
	Naming() bool                  // reports whether the name of a member is expected
	Plain() bool                   // reports whether values are written as they are given
	Shared() *Place                // returns the place of which it appends to the buffer, nil if it writes
	Open() []byte                  // returns the buffer, to which a value is appended next, after its delimiter
	Close(b []byte, ok bool) error // takes the buffer back with a value that is JSON, or without one
	Done() []byte                  // ends the sharing and returns the buffer
	Delimited() bool               // reports whether a delimiter is written before the next value
	Count() (depth int, own int64) // is StackDepth and StackIndex without what is around the text
}

// OpenLevel is an array or an object that a text stands in.
type OpenLevel struct {
	Object bool
	Count  int64  // tokens before the text; names and values count each
	Name   string // of the member that the text is the value of
}

// Around returns the levels around p, none if p is nil. They are found once: each place within asks several times.
func (p *Place) Around() []OpenLevel {
	if p == nil || p.Open == nil {
		return nil
	}
	if p.levels == nil {
		p.levels = p.Open()
	}
	return p.levels
}

// PlaceOf returns the place of what a reader or writer stands for, nil if it does not tell.
func PlaceOf(v any) *Place {
	if p, ok := v.(interface{ Place() *Place }); ok {
		return p.Place()
	}
	return nil
}
