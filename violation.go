package weft

import (
	"errors"
	"maps"
	"slices"
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
// for nil: generated code tells by it where what it writes is wrong.
//
//go:noinline
func AtMember(name string, err error) error {
	if err == nil {
		return nil
	}
	return at(string(AppendPointer(nil, name)), err)
}

// AtItem returns err as one about the i-th element of the value that it was about,
// nil for nil.
func AtItem(i int, err error) error {
	if err == nil {
		return nil
	}
	return at("/"+strconv.Itoa(i), err)
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

// Report gathers what a Validate method finds. The zero value is empty.
type Report struct{ list []Violation }

// Add adds an error about the value itself; nil adds nothing.
//
//go:noinline
func (p *Report) Add(err error) {
	if err != nil {
		p.add("", err)
	}
}

// AddNew adds an error as Add does, unless something is known to be wrong at its
// place.
func (p *Report) AddNew(err error) {
	v, ok := err.(Violation)
	if !ok || !slices.ContainsFunc(p.list, func(w Violation) bool { return w.Path == v.Path }) {
		p.Add(err)
	}
}

// Member adds an error about a member of the value; nil adds nothing.
func (p *Report) Member(name string, err error) {
	if err != nil {
		p.add(string(AppendPointer(nil, name)), err)
	}
}

// Item adds an error about an element of the value; nil adds nothing.
func (p *Report) Item(i int, err error) {
	if err != nil {
		p.add("/"+strconv.Itoa(i), err)
	}
}

func (p *Report) add(path string, err error) {
	if v, ok := err.(Violation); ok {
		path, err = path+v.Path, v.Err
	}
	nested, ok := errors.AsType[*ValidationError](err)
	if !ok {
		p.list = append(p.list, Violation{path, -1, err})
		return
	}
	for _, v := range nested.Violations {
		p.list = append(p.list, Violation{path + v.Path, -1, v.Err})
	}
}

// Err returns a [ValidationError] with what was added, or nil.
//
//go:noinline
func (p *Report) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return &ValidationError{p.list}
}

// ValidateItems calls validate for each element of s and returns what it finds.
func ValidateItems[T any](s []T, validate func(*T) error) error {
	var p Report
	for i := range s {
		p.Item(i, validate(&s[i]))
	}
	return p.Err()
}

// ValidateMembers calls validate for each value of m, in the order of the names,
// and returns what it finds.
func ValidateMembers[T any](m map[string]T, validate func(*T) error) error {
	var p Report
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := m[name]
		p.Member(name, validate(&v))
	}
	return p.Err()
}
