package weft

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

// Error is an error at a place: in the input of a decoder, or in the value an
// encoder was given. Its text begins with the format's name:
//
//	msgpack: at /result/3/date, offset 1412: string where a time is due
type Error struct {
	Format string // name of the format, such as "json"
	Offset int64  // bytes from the start of the document; -1 when marshaling
	Path   string // JSON pointer (RFC 6901) to the value, "" for the document
	Err    error  // what is wrong
}

// Error returns the text of the error.
func (e *Error) Error() string {
	b := make([]byte, 0, 96)
	if e.Format != "" {
		b = append(append(b, e.Format...), ": "...)
	}
	switch {
	case e.Path != "" && e.Offset >= 0:
		b = append(append(append(b, "at "...), e.Path...), ", offset "...)
		b = append(strconv.AppendInt(b, e.Offset, 10), ": "...)
	case e.Path != "":
		b = append(append(append(b, "at "...), e.Path...), ": "...)
	case e.Offset >= 0:
		b = append(strconv.AppendInt(append(b, "at offset "...), e.Offset, 10), ": "...)
	}
	if e.Err == nil {
		return string(append(b, "error"...))
	}
	return string(append(b, e.Err.Error()...))
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// MissingError says which required members an object does not have.
type MissingError struct {
	Names []string // in declared order
}

// Error names every missing member.
func (e *MissingError) Error() string {
	if len(e.Names) == 1 {
		return "missing required member " + strconv.Quote(e.Names[0])
	}
	b := []byte("missing required members ")
	for i, n := range e.Names {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendQuote(b, n)
	}
	return string(b)
}

// NewMissingError returns the error for the members of f whose bit is set in
// want and not in seen; bit i stands for the member with index i.
func NewMissingError(f *Fields, seen, want uint64) *MissingError {
	e := new(MissingError)
	for i, n := range f.names {
		if i < 64 && want&^seen>>i&1 != 0 {
			e.Names = append(e.Names, n)
		}
	}
	return e
}

// TypeError says that a value on the wire does not fit the Go type that is due.
type TypeError struct {
	Kind Kind   // kind of the value
	Type string // Go type or kind that is due
	Text string // the value itself when short, such as "300"; may be empty
}

// Error names the value and the type.
func (e *TypeError) Error() string {
	if e.Text != "" {
		return e.Kind.String() + " " + e.Text + " does not fit " + e.Type
	}
	return "cannot read " + e.Kind.String() + " as " + e.Type
}

// Errors that decoders of every format wrap. To [errors.Is] ErrUnexpectedEnd is
// io.ErrUnexpectedEOF as well.
var (
	ErrUnexpectedEnd error = unexpectedEnd{}

	ErrTrailingData  = errors.New("data after the value")
	ErrDepth         = errors.New("nesting too deep")
	ErrSize          = errors.New("input too large")
	ErrUnknownMember = errors.New("unknown member")
	ErrDuplicateName = errors.New("duplicate member name")
	ErrPartsDiffer   = errors.New("two parts of the object have different values of this member")
)

type unexpectedEnd struct{}

func (unexpectedEnd) Error() string { return "unexpected end of input" }

func (unexpectedEnd) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// AppendPointer appends one reference token to a JSON pointer (RFC 6901 §3).
func AppendPointer(path []byte, token string) []byte {
	path = append(path, '/')
	if !strings.ContainsAny(token, "~/") {
		return append(path, token...)
	}
	for i := range len(token) {
		switch c := token[i]; c {
		case '~':
			path = append(path, "~0"...)
		case '/':
			path = append(path, "~1"...)
		default:
			path = append(path, c)
		}
	}
	return path
}
