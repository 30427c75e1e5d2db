package weft

import "time"

// Reader is the cursor every format's reader implements: one pass over one
// document. Errors are sticky: after the first one every method returns zero
// values or the end, and Err returns it.
type Reader interface {
	// BeginObject enters an object and returns its first member as Member does.
	BeginObject(f *Fields) int
	// Member moves to the next member of the object and returns the index of
	// its name in f, Unknown for a name that is not in f, or End when the
	// object is closed. The index that is expected next is tried first.
	Member(f *Fields, want int) int
	// Name returns the name of the current member. It is valid until the next
	// call.
	Name() string
	// BeginArray enters an array and reports whether it has a first element.
	BeginArray() bool
	// More reports whether the array has another element.
	More() bool
	// BeginMap enters an object with open names; NextKey reads them.
	BeginMap() bool
	// NextKey returns the next name of an object entered by BeginMap.
	NextKey() (string, bool)

	// Null consumes a null and returns true, or consumes nothing.
	Null() bool
	Bool() bool
	Int() int
	Int8() int8
	Int16() int16
	Int32() int32
	Int64() int64
	Uint() uint
	Uint8() uint8
	Uint16() uint16
	Uint32() uint32
	Uint64() uint64
	Float32() float32
	Float64() float64
	String() string
	Bytes() []byte
	Time() time.Time
	// Any reads the next value as the format's dynamic Go value.
	Any() any
	// Raw returns the bytes of the next value, which is skipped and validated.
	// They are valid until the reader is released.
	Raw() []byte
	// Value reads the next value into the variable v points to, by the type's
	// plan.
	Value(v any)
	// Skip validates and skips the next value.
	Skip()

	// Kind returns the kind of the next value and consumes nothing.
	Kind() Kind
	// Offset returns the offset of the next byte to read.
	Offset() int
	// Mark returns the position, which Reset returns to, forgetting an error
	// that was met in between.
	Mark() Mark
	Reset(Mark)

	// Fail sets the sticky error, located at the current value.
	Fail(err error)
	// Missing fails with a MissingError that names every member whose bit is
	// set in want and not in seen.
	Missing(f *Fields, seen, want uint64)
	// Err returns the first error.
	Err() error
}

// SchemaReader is a [Reader] that refuses values which it has not read, as those of
// the formats do.
type SchemaReader interface {
	Reader
	// Tag is [PeekTag], of which the result is valid until the next call only.
	Tag(f *Fields) (tag string, ok bool)
	// Refuse skips the next value and fails with err about it.
	Refuse(err error)
}

// SingleReader is a [Reader] of a format that tells floats of 32 bits from others.
type SingleReader interface {
	Reader
	// Single reports whether the value that comes next is a float of 32 bits.
	Single() bool
}

// IntBoolReader is a [Reader] of a format without booleans: false and true are
// the integers 0 and 1, by which a schema that speaks of booleans is judged.
type IntBoolReader interface {
	Reader
	// IntBools reports whether it reads such a format.
	IntBools() bool
}

// ExactReader is a [Reader] of a format that keeps the kinds of numbers: what Kind
// says is what was written, a Uint also where an int64 has it.
type ExactReader interface {
	Reader
	// Exact reports whether it reads such a format.
	Exact() bool
}

// Mark is a position of a [Reader] that it can be reset to. Its fields belong
// to the format that made it.
type Mark struct {
	Offset int
	Depth  int
	Level  int
	Due    int
	State  uint64
}
