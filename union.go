package weft

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// PeekTag returns the value of the member that is the first name of f in the
// object that comes next, wherever in it the member stands: a string, or an
// integer as its decimal digits. It consumes nothing. It reports false when the
// object has no such member or its value is neither.
func PeekTag(r Reader, f *Fields) (tag string, ok bool) {
	if x, is := r.(TagFinder); is {
		if tag, ok, done := x.FindTag(f); done {
			return tag, ok
		}
	}
	m := r.Mark()
	if r.BeginObject(f) == 0 {
		tag, ok = readTag(r)
	} else if r.Reset(m); r.Kind() == KindObject {
		tag, ok = seekTag(r, f.names[0])
	}
	ok = ok && r.Err() == nil
	r.Reset(m)
	if !ok {
		return "", false
	}
	return tag, true
}

// readTag reads what may be the value of a tag.
func readTag(r Reader) (tag string, ok bool) {
	switch k := r.Kind(); {
	case k == KindString:
		return r.String(), true
	case k.IsNumber():
		m := r.Mark()
		if v := r.Int64(); r.Err() == nil {
			return strconv.FormatInt(v, 10), true
		}
		r.Reset(m)
	}
	r.Skip()
	return "", false
}

// PeekNames returns the set of the names of f, of which there are at most 64,
// that the object that comes next has as members. It consumes nothing.
func PeekNames(r Reader, f *Fields) (seen uint64) {
	m := r.Mark()
	for i := r.BeginObject(f); i != End; i = r.Member(f, i+1) {
		if i >= 0 {
			seen |= 1 << i
		}
		r.Skip()
	}
	r.Reset(m)
	return seen
}

// NilError returns the error for something that must be set before it is
// written: the variant of a union, a required struct held by a pointer.
//
//go:noinline
func NilError(name string) error { return &ConstraintError{Rule: "have " + name + " set"} }

// tag is a type whose values tell variants of a union apart.
type tag interface {
	~string | integer
}

// CheckTag returns an error unless t, the discriminator of a value of the type
// called variant, is one of those that choose it in a union.
func CheckTag[T tag](t T, variant string, own ...T) error {
	if slices.Contains(own, t) {
		return nil
	}
	rule := "be "
	for i, s := range own {
		if i > 0 {
			rule += " or "
		}
		rule += tagText(s)
	}
	return &ConstraintError{Rule: rule + " in " + variant, Value: tagText(t)}
}

// CheckOtherTag returns an error if t, the discriminator of a value of the type
// called variant, is one of those that choose another variant of a union.
func CheckOtherTag[T tag](t T, variant string, others ...T) error {
	if !slices.Contains(others, t) {
		return nil
	}
	return &ConstraintError{Rule: "be a tag of " + variant, Value: tagText(t)}
}

// tagText returns t as errors show it: a string short and quoted.
func tagText[T tag](t T) string {
	if v := reflect.ValueOf(t); v.Kind() == reflect.String {
		return short(v.String())
	}
	return fmt.Sprint(t)
}

// CheckRequires returns an error unless members are there as sets say: each is
// a set of bits that must all be in seen; one of them must be, and when exact is
// set no other.
func CheckRequires(f *Fields, seen uint64, exact bool, sets ...uint64) error {
	n := 0
	for _, s := range sets {
		if s&^seen == 0 {
			n++
		}
	}
	if n == 1 || n > 1 && !exact {
		return nil
	}
	rule := "have "
	for i, s := range sets {
		if i > 0 {
			rule += " or "
		}
		sep := ""
		for ; s != 0; s &= s - 1 {
			rule += sep + strconv.Quote(f.Name(bits.TrailingZeros64(s)))
			sep = " and "
		}
	}
	if n > 1 {
		rule += ", and no other of them"
	}
	return &ConstraintError{Rule: rule}
}

// NewMissingErrorWide is [NewMissingError] for tables of more than 64 names: bit
// i of word k stands for the member with index 64*k+i.
func NewMissingErrorWide(f *Fields, seen, want []uint64) *MissingError {
	e := new(MissingError)
	for i, n := range f.names {
		if want[i/64]&^seen[i/64]>>(i%64)&1 != 0 {
			e.Names = append(e.Names, n)
		}
	}
	return e
}

// ReadDate reads a full-date (RFC 3339 §5.6), such as "2006-01-02", which is a
// string in every format.
func ReadDate(r Reader) time.Time {
	s := r.String()
	if r.Err() != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		failLast(r, &ConstraintError{Rule: "be a date", Value: short(s)})
	}
	return t
}

// NumberReader is a [Reader] of a format whose numbers are texts.
type NumberReader interface {
	Reader
	// AnyNumber is Any with numbers as json.Number, to their last digit.
	AnyNumber() any
}

// ReadAny reads the next value as the format's dynamic Go value, with every
// number as it is: where numbers are texts as a json.Number, and elsewhere as the
// integer or float that it is.
func ReadAny(r Reader) any {
	if n, ok := r.(NumberReader); ok {
		return n.AnyNumber()
	}
	return r.Any()
}

// LastFailer is a [Reader] whose Fail is about the value that comes next.
type LastFailer interface {
	// FailLast is Fail about the value that was read last.
	FailLast(err error)
}

// failLast makes r fail with err about the value that was read last.
func failLast(r Reader, err error) {
	if f, ok := r.(LastFailer); ok {
		f.FailLast(err)
		return
	}
	r.Fail(err)
}

// ReadNull reads a null.
func ReadNull(r Reader) {
	if r.Err() != nil || r.Null() {
		return
	}
	err := &TypeError{Kind: r.Kind(), Type: "null"}
	if s, ok := r.(SchemaReader); ok {
		s.Refuse(err)
		return
	}
	r.Fail(err)
}

// ReadBytes reads bytes, which a null is not.
func ReadBytes(r Reader) []byte {
	if r.Kind() == KindNull {
		_ = r.Bool() // fails
		return nil
	}
	return r.Bytes()
}

// NonNil returns b, or an empty slice when b is nil, which formats write as
// null.
func NonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
