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
	Path string // JSON pointer (RFC 6901) from the value that was validated
	Err  error
}

// Error returns the text of the violation.
func (v Violation) Error() string {
	if v.Path == "" {
		return v.Err.Error()
	}
	return "at " + v.Path + ": " + v.Err.Error()
}

// Unwrap returns what is wrong.
func (v Violation) Unwrap() error { return v.Err }

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
	nested, ok := errors.AsType[*ValidationError](err)
	if !ok {
		p.list = append(p.list, Violation{path, err})
		return
	}
	for _, v := range nested.Violations {
		p.list = append(p.list, Violation{path + v.Path, v.Err})
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
