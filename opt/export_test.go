package opt

import "reflect"

// Member is what package opt finds of a field.
type Member struct {
	Name, GoName        string
	Index               []int
	OmitEmpty, OmitZero bool
}

// MembersOf returns the members of the struct type t, and where the map of the
// others is.
func MembersOf(t reflect.Type) (members []Member, rest []int) {
	o := objectOf(t)
	for _, m := range o.members {
		members = append(members, Member{m.name, m.goName, m.index, m.omitEmpty, m.omitZero})
	}
	if o.rest != nil {
		rest = o.rest.index
	}
	return members, rest
}

// MergeValues is Merge of two values of a type.
func MergeValues(target, patch reflect.Value) any { return merge(target, patch).Interface() }

// DiffValues is Diff of two values of a type.
func DiffValues(from, to reflect.Value) (reflect.Value, error) { return diff(from, to, nil) }
