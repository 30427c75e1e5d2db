package weft

import (
	"slices"
	"strconv"
	"strings"
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

// ChoiceError says that a value is no variant of a union, or more than one of a
// union that allows but one.
type ChoiceError struct {
	Union    string   // name of the union
	Member   string   // the member that tells the variants apart; may be empty
	Value    string   // its value, "" for none
	Variants []string // names of the variants, or the values of Member
	Matches  []string // the variants that fit, when they are too many
}

// Error names the candidates.
func (e *ChoiceError) Error() string {
	switch {
	case len(e.Matches) > 0:
		return "is ambiguous: fits " + strings.Join(e.Matches, " and ") + ", of which " + e.Union + " allows but one"
	case e.Member != "" && e.Value == "":
		return "must be a variant of " + e.Union + ", which the member " + strconv.Quote(e.Member) + " has to tell: " + list(e.Variants)
	case e.Member != "":
		return "must be a variant of " + e.Union + ": " + strconv.Quote(e.Member) + " is " + short(e.Value) + ", not one of " + list(e.Variants)
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
