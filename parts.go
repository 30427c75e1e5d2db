package weft

import (
	"reflect"
	"strings"
)

// PartReader is a [Reader] of values of which several types are parts, as those of
// the formats are.
type PartReader interface {
	SchemaReader
	TagReader
	FlagReader
}

// ReadParts reads an object that is several things at once, as a JSON Schema says
// by anyOf. The choice has a schema for each of them, of which those count that
// hold for the object: read is called for each, and reads it from its beginning. A
// part sees no members but its own. Table f has the names of all parts, and owners
// a bit for each part that has the name. Members that no part has which counts are
// kept in extra, unless it is nil; then they are errors where refused says so.
func ReadParts(r PartReader, choice *Schema, f *Fields, owners []uint64, extra *map[string]any, refused bool, read func(i int)) {
	some := r.Match(choice)
	if r.Err() != nil {
		return
	}
	m := r.Mark()
	part := IgnoredMember{All: true}
	before := r.IgnoreMember(part)
	named := extra != nil || refused || r.Flags()&(FlagRejectUnknown|FlagRejectDuplicates) != 0
	if part.Again = before.Again; named || some&(some-1) != 0 {
		part.Again++ // what is within is read more than once
	}
	r.IgnoreMember(before)
	if part.Again > mostParts {
		r.Fail(ErrDepth)
		return
	}
	if named {
		readRest(r, f, func(i int) bool { return owners[i]&some != 0 }, extra, refused)
	}
	for i := 0; some>>i != 0 && r.Err() == nil; i++ {
		if some>>i&1 == 0 {
			continue
		}
		r.Reset(m)
		before := r.IgnoreMember(part)
		read(i)
		r.IgnoreMember(before)
	}
}

// readRest reads the members of an object that no part of it has.
func readRest(r PartReader, f *Fields, has func(i int) bool, extra *map[string]any, refused bool) {
	for i := r.BeginObject(f); i != End; i = r.Member(f, i+1) {
		switch {
		case i >= 0 && has(i):
			r.Skip()
		case extra == nil || r.Ignored():
			r.Unknown(refused)
		default:
			name := strings.Clone(r.Name())
			if *extra == nil {
				*extra = make(map[string]any)
			}
			(*extra)[name] = ReadAny(r)
		}
	}
}

// mostParts is how often a value is read again because of the parts around it.
const mostParts = 64

// JoinMembers returns the members of a and of b, or one of the two when the other
// is empty. A member that they have with two values is an error.
func JoinMembers(a, b map[string]any) (map[string]any, error) {
	if len(a) == 0 || len(b) == 0 {
		if len(a) == 0 {
			a = b
		}
		return a, nil
	}
	out := make(map[string]any, len(a)+len(b))
	for name, v := range a {
		out[name] = v
	}
	for name, v := range b {
		if w, ok := out[name]; ok && !reflect.DeepEqual(v, w) {
			return nil, AtMember(name, ErrPartsDiffer)
		}
		out[name] = v
	}
	return out, nil
}
