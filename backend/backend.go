// Package backend is for authors of formats. It has the interfaces between a format and package weft. Programs that
// use formats do not need it.
//
//   - [Reader]: implemented by a format, for reading
//   - [Appender]: implemented by a format, for writing; a [Writer] if package weft does not
//     know its grammar
//   - [Fields], [Kind]: the types of package weft
package backend

import "time"

// Appender is what a format gives to the Encoders it starts: the way back to
// its own engine.
type Appender interface {
	// Name returns the name of the format, for errors.
	Name() string
	// AppendValue appends any Go value by the plan of its type. The value
	// stands at the given depth.
	AppendValue(b []byte, v any, depth int) ([]byte, error)
}

// Indexes that are no member: results of [Reader.Member] and
// [Reader.BeginObject] beside the indexes of a [Fields] table.
const (
	End     = -1 // the object is closed
	Unknown = -2 // a member whose name is not in the table
)

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
	// Signed reads an integer that fits so many bits, 0 for those of an int.
	Signed(bits int) int64
	// Unsigned is Signed for an integer without a sign.
	Unsigned(bits int) uint64
	Float32() float32
	Float64() float64
	String() string
	Bytes() []byte
	Time() time.Time
	// Any reads the next value as the format's dynamic Go value.
	Any() any
	// AnyNumber is Any with every number as it is: where numbers are texts as a
	// json.Number, and elsewhere as the integer or float that it is.
	AnyNumber() any
	// Decimal reads a number in the grammar of JSON (RFC 8259 §6). It is asked for
	// where Kind says KindNumber.
	Decimal() string
	// Later reads bytes that say which text they are to become in JSON, as those of
	// some formats can, or reports that the next value does not and consumes nothing.
	Later() (text string, ok bool)
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
	// Single reports whether the next value is a float of 32 bits, in a format that
	// tells these from others.
	Single() bool
	// IntBools reports whether the format has no booleans: false and true are the
	// integers 0 and 1, by which a schema that speaks of booleans is judged.
	IntBools() bool
	// Exact reports whether what Kind says of a number is what was written, a Uint
	// also where an int64 has it.
	Exact() bool
	// Flags returns those of setting.RejectUnknown, setting.AllowUnknown,
	// setting.RejectDuplicates, setting.Unchecked, setting.Request and setting.Response that are on,
	// so that a text within a value is read as the value is.
	Flags() uint64
	// Offset returns the offset of the next byte to read.
	Offset() int
	// Mark returns the position, which Reset returns to, forgetting an error
	// that was met in between.
	Mark() Mark
	Reset(Mark)

	// Tag returns the value of the member that is the first name of f in the object
	// that comes next, as [Lookahead.PeekTag] does, until the next call only. It consumes
	// nothing.
	Tag(f *Fields) (tag string, ok bool)
	// IgnoreMember has the object that comes next skip the member of a name that
	// its type does not know, and returns what was ignored before, for a second
	// call when the object has been read.
	IgnoreMember(IgnoredMember) IgnoredMember
	// Lookahead returns what has been found out about the document ahead of reading.
	Lookahead() *Lookahead
	// Place returns what tells the value that comes next from all others of the
	// document.
	Place() any
	// Pass moves behind the value that comes next, which ends at the mark. It reports
	// false where it does not, since what was read of it is not to be shared.
	Pass(end Mark) bool
	// Trying has the first rule that is broken end the reading, whatever options say
	// of rules, until done is called.
	Trying() (done func())

	// Fail sets the sticky error, located at the current value.
	Fail(err error)
	// FailLast sets the sticky error, located at the value that was read last.
	FailLast(err error)
	// Refuse skips the next value and fails with err about it, unless err is nil.
	Refuse(err error)
	// Missing fails with a MissingError that names every member whose bit is
	// set in want and not in seen.
	Missing(f *Fields, seen, want uint64)
	// Err returns the first error.
	Err() error
}

// IgnoredMember is a member that a [Reader] ignores. A zero Depth stands for
// that of the object that comes next; any other belongs to the format.
type IgnoredMember struct {
	Name  string
	All   bool // each member that the type does not know
	Again int  // how often what is in the object is read again
	Depth int
}

// Mark is a position of a [Reader] that it can be reset to. Its fields belong
// to the format that made it.
type Mark struct {
	Offset int
	Depth  int
	Level  int
	Rest   int
	State  uint64
}

// Writer is the Appender of a format whose grammar the Encoder does not know:
// it writes each token.
type Writer interface {
	Appender
	AppendNull(b []byte) []byte
	AppendBool(b []byte, v bool) []byte
	AppendInt(b []byte, v int64) []byte
	// AppendInt32 is AppendInt where formats tell integers of at most 32 bits from
	// wider ones.
	AppendInt32(b []byte, v int32) []byte
	AppendUint(b []byte, v uint64) []byte
	AppendFloat32(b []byte, v float32) ([]byte, error)
	AppendFloat64(b []byte, v float64) ([]byte, error)
	AppendString(b []byte, v string) ([]byte, error)
	AppendBytes(b, v []byte) []byte
	AppendTime(b []byte, v time.Time) ([]byte, error)
	// AppendNumber writes a number in the grammar of JSON (RFC 8259 §6), of which a
	// float64 does not have all digits.
	AppendNumber(b []byte, text string) ([]byte, error)
	// AppendRaw writes an encoded value of the format.
	AppendRaw(b, raw []byte) ([]byte, error)
	// BeginObject starts an object of up to n members; n < 0 if unknown.
	BeginObject(b []byte, n int) []byte
	// AppendName writes the name of the next member, the k-th that is written.
	// It is f's i-th name, or name when f is nil.
	AppendName(b []byte, f *Fields, i int, name string, k int) ([]byte, error)
	// EndObject closes the object that begins at head with k members written,
	// where n were announced.
	EndObject(b []byte, head, n, k int) []byte
	// BeginArray starts an array of n elements; n < 0 if unknown.
	BeginArray(b []byte, n int) []byte
	// BeginElement prepares for the k-th element.
	BeginElement(b []byte, k int) []byte
	EndArray(b []byte, head, n, k int) []byte
	// AddMember adds f's i-th member, a string, to the object that has just been
	// written and begins at head. It comes first, where members have an order. It
	// fails if the value there is no object.
	AddMember(b []byte, head int, f *Fields, i int, value string) ([]byte, error)
}
