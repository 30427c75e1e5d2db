// Package structwire writes the members of structs as JSON in one run, down through structs, pointers and lists, where
// the processor has a kernel for that: see [Run]. What the kernel does not write is left to its caller, value by value.
package structwire

import "github.com/weftcodec/weft/internal/mem"

// Kind says how the value of a member is written.
type Kind uint8

// The kinds of values. To is added to that of what a pointer points at, which is null if it is nil.
const (
	None      Kind = iota // not by a kernel, which does not look at its omission either
	Other                 // not by a kernel, unless it is left out, or is To and nil
	Nil                   // the same of what is null if it is nil
	NilList               // the same of bytes or a map
	List                  // the same of a slice, which is [] if it is empty
	String                //
	Bool                  //
	Int64                 //
	Int32                 //
	Uint8                 //
	Uint16                //
	Uint32                //
	Uint64                //
	Float64               // integers, and what is not too small, large or hard
	Struct                // of the Object
	Structs               // a slice of them
	ToStructs             // a slice of pointers to them
	Strings               // a slice of strings
	Int64s                // a slice of such integers
	Pairs                 // a slice of strings, the name and the value of each member of an object

	To   Kind = 1 << 6
	Long Kind = 1 << 7 // the name is longer than Member.Name: Member.More is behind it
)

// Omission says when a member is left out: if what stands at Member.State is zero, by the state of an option there, or
// if what would be written says nothing.
type Omission uint8

// The omissions.
const (
	Never Omission = iota
	ZeroWord
	ZeroHalf
	ZeroByte
	NullByte // never: it is null if the byte is zero
	Option   // if the byte is not 2, but it is null if that is 1
	ZeroFloat
	Full      // never: of a slice, [] if it is nil
	Empty     // of a Struct: if none of its members is written
	NilEmpty  // the same, or if the word is zero
	NilLength // if the word is zero, or the string or slice that it points at has no length
	Stands    // never, but not by a kernel if the word is zero, which stands for another value
)

// Member is how a member of a struct is written. It is immutable.
type Member struct {
	Name   [32]byte // `,"name":`
	Off    mem.Field
	Next   *Member // nil after the last one
	Object *Object // of the kinds that speak of one
	More   *More   // of Long
	State  mem.Near
	N      uint8 // length of the name
	Levels uint8 // how many pointers and slices lead to what its Object writes
	Kind   Kind
	Omit   Omission
}

// More is the end of a long name.
type More struct {
	Text [32]byte
	N    uint8
}

// Object is how a struct is written.
type Object struct {
	First *Member
	Size  uintptr // of the struct in memory
	Ready uint32  // not zero if the rest is known, and members are all that there is to write
}

// Depth is how many structs within the first one are written in a run.
const Depth = 8

// The bits of Run.How. The first two are those of [wire.Escapes].
const (
	HTML       = 1 << iota // <, > and & are escaped
	Trusted                // texts are UTF-8
	AVX512                 // the processor has it
	FullSlices             // slices that are nil are written as empty ones
	FullMaps               // and maps
)

// Slack is what a run may write behind its limit: 32 escapes of six bytes, and the 32 bytes that each stores behind it.
const Slack = 224

// Run is a walk over the members of a struct, on the stack of who makes it. It ends with Member nil and Depth 0 when
// all are written, but for the braces of the first struct. Otherwise it stops before a member, or between its name and
// its value, for its caller to go on; or at the limit.
type Run struct {
	Base   mem.Bytes // what is written to
	At     int       // how much of it is written
	Limit  int       // where the run stops; there are Slack more bytes
	Member *Member   // the next one, of the struct at P
	P      mem.Ptr
	Depth  int          // how many Frames there are
	Value  mem.Ptr      // where the value of Member is if its name is written, or what the pointer there points at
	Forms  *[128]uint64 // how ASCII is written: [wire.Forms]
	How    int          // how texts are written
	List   uint32       // of a list that is being written: how far from the comma before its member it begins
	Frames [Depth]Frame
}

// Frame is a struct within another one, or a list of them.
type Frame struct {
	Member *Member // the one whose value it is
	P      mem.Ptr // the struct around
	Elem   mem.Ptr // of a list: the element, or where the pointer to it is
	Left   int     // of a list: the elements from this one on, else 0
	Start  int     // where the struct begins
	List   int     // where the list begins
}
