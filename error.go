package weft

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/wire"
)

// Error is an error with a location: in the input of a decoder, or in the value passed to an encoder. Its text begins
// with the format's name:
//
//	msgpack: at /result/3/date, offset 1412: string where a time is expected
type Error struct {
	Format string // name of the format, such as "json"
	Offset int64  // bytes from the start of the document; -1 when marshaling
	Path   string // JSON pointer (RFC 6901) to the value, "" for the document
	Err    error  // what is wrong
}

// Error returns the text of the error. A path, or what is wrong, is cut after 1,024 bytes: it may repeat input that has
// no bounds. What is not printable in a path is escaped as in a Go string. The fields have all of it as it is.
func (e *Error) Error() string {
	path := wire.Printable(wire.Cut(e.Path, mostShown))
	b := make([]byte, 0, 96)
	if e.Format != "" {
		b = append(append(b, e.Format...), ": "...)
	}
	switch {
	case e.Path != "" && e.Offset >= 0:
		b = append(append(append(b, "at "...), path...), ", offset "...)
		b = append(strconv.AppendInt(b, e.Offset, 10), ": "...)
	case e.Path != "":
		b = append(append(append(b, "at "...), path...), ": "...)
	case e.Offset >= 0:
		b = append(strconv.AppendInt(append(b, "at offset "...), e.Offset, 10), ": "...)
	}
	if e.Err == nil {
		return string(append(b, "error"...))
	}
	text := e.Err.Error()
	if _, ok := e.Err.(*ValidationError); !ok { // whose violations are cut one by one
		text = wire.Cut(text, mostShown)
	}
	return string(append(b, text...))
}

// mostShown is how many bytes the text of an error shows of a path, and of what is wrong.
const mostShown = 1 << 10

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Locate returns the path to the value that could not be written in the format, and what is wrong. For any other
// error the path is empty. It is for format packages.
func (e *Error) Locate(format string) (path string, err error) {
	if e.Format == format && e.Offset < 0 {
		return e.Path, e.Err
	}
	return "", e
}

// MissingError reports the required members that an object does not have.
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

// TypeError says that a value on the wire does not fit the Go type that is expected.
type TypeError struct {
	Kind Kind   // kind of the value
	Type string // Go type or kind that is expected
	Text string // the value itself when short, such as "300"; may be empty
}

// Error names the value and the type.
func (e *TypeError) Error() string {
	if e.Text != "" {
		return e.Kind.String() + " " + e.Text + " does not fit " + e.Type
	}
	return "cannot read " + e.Kind.String() + " as " + e.Type
}

// Errors that decoders of every format wrap. To [errors.Is], ErrUnexpectedEnd is also io.ErrUnexpectedEOF.
var (
	ErrUnexpectedEnd error = unexpectedEnd{}

	ErrTrailingData  = errors.New("data after the value")
	ErrDepth         = errors.New("nesting too deep")
	ErrSize          = errors.New("input too large")
	ErrUnknownMember = errors.New("unknown member")
	ErrDuplicateName = errors.New("duplicate member name")
)

type unexpectedEnd struct{}

func (unexpectedEnd) Error() string { return "unexpected end of input" }

func (unexpectedEnd) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// Violation is a value that breaks a constraint, and where it is.
type Violation struct {
	Path   string // JSON pointer (RFC 6901) from the value that was validated
	Offset int64  // bytes from the start of the document; -1 of a Go value
	Err    error
}

// Error returns the text of the violation.
func (v Violation) Error() string {
	return (&Error{Offset: v.Offset, Path: v.Path, Err: v.Err}).Error()
}

// Unwrap returns what is wrong.
func (v Violation) Unwrap() error { return v.Err }

// Locate returns the path of the violation, and what is wrong. It is for format packages.
func (v Violation) Locate(string) (path string, err error) { return v.Path, v.Err }

// ConstraintError reports that a value violates a constraint of its type.
type ConstraintError struct {
	Rule  string // what is required of the value, such as "be at least 1"
	Value string // the actual value or property, such as "0"; may be empty
}

// Error names the rule and the value.
func (e *ConstraintError) Error() string {
	if e.Value == "" {
		return "must " + e.Rule
	}
	return "must " + e.Rule + ", not " + e.Value
}

// ValidationError lists everything that is wrong with a value.
type ValidationError struct{ Violations []Violation }

// Error returns the violations, separated by "; ".
func (e *ValidationError) Error() string {
	var b strings.Builder
	for i, v := range e.Violations {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(v.Error())
	}
	return b.String()
}

// Unwrap returns the violations.
func (e *ValidationError) Unwrap() []error {
	out := make([]error, len(e.Violations))
	for i, v := range e.Violations {
		out[i] = v
	}
	return out
}

// ContentError is an error in the text that a string holds, such as JSON that the contentSchema of a JSON Schema
// describes.
type ContentError struct {
	Offset int64  // bytes from the start of the text
	Path   string // JSON pointer (RFC 6901) to the value in the text, "" for all of it
	Err    error  // what is wrong
}

// Error returns the location in the text, and what is wrong.
func (e *ContentError) Error() string {
	b := append(make([]byte, 0, 96), "in its text, "...)
	if e.Path != "" {
		b = append(append(append(b, "at "...), e.Path...), ", "...)
	}
	b = strconv.AppendInt(append(b, "offset "...), e.Offset, 10)
	return string(append(append(b, ": "...), e.Err.Error()...))
}

// Unwrap returns what is wrong.
func (e *ContentError) Unwrap() error { return e.Err }

// ChoiceError reports that a value is not a variant of a union, or matches several variants of a union that allows
// only one.
type ChoiceError struct {
	Union    string   // name of the union
	Member   string   // the member that distinguishes the variants; may be empty
	Value    string   // its value, or the Go type of a value that is not a variant; may be empty
	Variants []string // names of the variants, or the values of Member
	Matches  []string // the variants that match, if there is more than one
}

// Error names the candidates.
func (e *ChoiceError) Error() string {
	switch {
	case len(e.Matches) > 0:
		return "is ambiguous: fits " + strings.Join(e.Matches, " and ") + ", of which " + e.Union + " allows only one"
	case e.Member != "" && e.Value == "":
		return "must be a variant of " + e.Union + ": " + strconv.Quote(e.Member) + " has none of the values " +
			list(e.Variants)
	case e.Member != "":
		return "must be a variant of " + e.Union + ": " + strconv.Quote(e.Member) + " is " + wire.Quote(e.Value) +
			", not one of " + list(e.Variants)
	case e.Value != "":
		return "must be a variant of " + e.Union + ", not " + e.Value + ": " + list(e.Variants)
	case len(e.Variants) == 0:
		return "must be a variant of " + e.Union
	}
	return "must be a variant of " + e.Union + ": " + list(e.Variants)
}

// list returns names in one line, cut when they are many.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
