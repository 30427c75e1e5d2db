package weft

import (
	"slices"
	"strconv"
)

// PeekTag is the Tag of a [Reader] that has no better way: it returns the value of the member that is the first name of f in the
// object that comes next, wherever in it the member stands: a string, or an
// integer as its decimal digits. It consumes nothing. It reports false when the
// object has no such member or its value is neither.
func PeekTag(r Reader, f *Fields) (tag string, ok bool) {
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

// CheckTag returns an error unless t, the discriminator of a value of the type
// called variant, is one of those that choose it in a union.
func CheckTag(t, variant string, own ...string) error {
	if slices.Contains(own, t) {
		return nil
	}
	rule := "be "
	for i, s := range own {
		if i > 0 {
			rule += " or "
		}
		rule += short(s)
	}
	return &ConstraintError{Rule: rule + " in " + variant, Value: short(t)}
}

// CheckOtherTag returns an error if t, the discriminator of a value of the type
// called variant, is one of those that choose another variant of a union.
func CheckOtherTag(t, variant string, others ...string) error {
	if !slices.Contains(others, t) {
		return nil
	}
	return &ConstraintError{Rule: "be a tag of " + variant, Value: short(t)}
}
