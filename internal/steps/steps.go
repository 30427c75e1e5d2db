// Package steps writes and reads the members of structs in one loop each, for the formats in which a member is its key
// and an item of a head and a body: MessagePack and CBOR. A format compiles a struct to steps, including the structs
// within it. The loops handle the steps that need no call, and leave the others to the format.
package steps

import (
	"math/bits"

	"github.com/weftcodec/weft/internal/mem"
)

// Code says what a step does.
type Code uint8

// The codes. Those before Prefix are of values that the loops write and read themselves.
const (
	Int64 Code = iota
	String
	Float64
	Bool
	Uint64
	Int
	Uint
	Int32
	Uint32
	Int16
	Uint16
	Int8
	Uint8
	Uintptr
	Float32
	Bytes  // of CBOR
	Prefix // when writing, of the prefix alone; when reading, of the head of a struct
	Open   // when writing CBOR, of the head of a struct within another that may leave members out
	Stands // when writing, of a string, by the function where it is empty and another one stands for it
	End
	Other // by the function for the code of the value
)

// State is the difference of a step that looks at the state of an option before it writes.
const State = Other + 1

// Head is the step that reads the head of a struct.
const Head = Prefix

// Word returns the step for integers of a word's size as that for their size.
func (c Code) Word() Code {
	if bits.UintSize == 64 && !mem.Safe {
		switch c {
		case Int:
			return Int64
		case Uint:
			return Uint64
		}
	}
	return c
}

// Form is the format of steps, and whether members have keys. What differs is known when a loop is compiled.
type Form interface {
	Pack | PackKeyed | PackSome | CBOR | CBORKeyed | CBORSome
}

// The forms.
type (
	Pack      [0]struct{} // MessagePack, of arrays
	PackKeyed [1]struct{} // MessagePack, of maps, or arrays that hold maps
	PackSome  [5]struct{} // PackKeyed, of structs that may leave members out
	CBOR      [2]struct{}
	CBORKeyed [3]struct{}
	CBORSome  [7]struct{} // CBORKeyed, of structs that may leave members out
)

// isCBOR reports whether the form is one of CBOR's.
func isCBOR[F Form]() bool {
	var f F
	return len(f)&2 != 0
}
