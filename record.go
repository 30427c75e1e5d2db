package weft

import (
	"errors"
	"fmt"
	"slices"
)

// Record is an object as a list of its members in order: names, and variables of
// any types, known where the list is made. It needs no type for the whole:
//
//	var name string
//	var age int
//	err := json.Unmarshal(b, &weft.Record{weft.Label("name", &name), weft.Label("age", &age)})
//
// When it is written a member may be a value or a pointer to a variable; when it
// is read it must be a pointer. Members that the document does not have stay as
// they are, those that the list does not have are skipped.
type Record []Labeled

// Labeled is a member of a [Record].
type Labeled struct {
	Name  string
	Value any
}

// Label returns a member.
func Label(name string, value any) Labeled { return Labeled{name, value} }

// MarshalWeft implements [Marshaler].
func (l Record) MarshalWeft(e *Encoder) error {
	m := e.Map(len(l))
	for i := range l {
		if e.absent(l[i].Value) {
			continue
		}
		for k := range i {
			if l[k].Name == l[i].Name {
				return e.Fail(fmt.Errorf("%w %q", ErrDuplicateName, l[i].Name))
			}
		}
		m.Name(l[i].Name)
		if b, ok := l[i].Value.(bool); ok { // its type is known, unlike that of a boolean in an any
			e.Bool(b)
		} else {
			e.Value(l[i].Value)
		}
	}
	return m.End()
}

var errNoRecord = errors.New("a null is no record")

// UnmarshalWeft implements [Unmarshaler].
func (l Record) UnmarshalWeft(d *Decoder) error {
	if d.Null() {
		return d.Fail(errNoRecord)
	}
	m := d.Map()
	for next := 0; m.Next(); {
		name := m.Name()
		i := next
		if i >= len(l) || l[i].Name != name {
			if i = slices.IndexFunc(l, func(x Labeled) bool { return x.Name == name }); i < 0 {
				d.Skip()
				continue
			}
		}
		next = i + 1
		d.Value(l[i].Value)
	}
	return m.End()
}
