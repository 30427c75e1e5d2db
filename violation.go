package weft

import (
	"strconv"
	"strings"
)

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

// AtMember returns err as one about a member of the value that it was about, nil
// for nil.
//
//go:noinline
func AtMember(name string, err error) error {
	if err == nil {
		return nil
	}
	return at(string(AppendPointer(nil, name)), err)
}

func at(path string, err error) error {
	switch v := err.(type) {
	case Violation:
		return Violation{path + v.Path, v.Offset, v.Err}
	case *Error:
		if v.Offset < 0 {
			return &Error{Format: v.Format, Offset: -1, Path: path + v.Path, Err: v.Err}
		}
	}
	return Violation{path, -1, err}
}

// Locate returns the error of a value of a format, and the path from the value to
// what it is about where it says so: it is a [Violation], or an [Error] of writing
// the format.
func Locate(err error, format string) (string, error) {
	switch v := err.(type) {
	case Violation:
		return v.Path, v.Err
	case *Error:
		if v.Format == format && v.Offset < 0 {
			return v.Path, v.Err
		}
	}
	return "", err
}

// ConstraintError says that a value breaks a constraint of its type.
type ConstraintError struct {
	Rule  string // what the value must do, such as "be at least 1"
	Value string // what it does or is instead, such as "0"; may be empty
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

// short returns s quoted, cut when it is long.
func short(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
