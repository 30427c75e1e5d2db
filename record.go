package weft

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Record is an object given as a list of its members in order: names, and variables of any types. It needs no type
// for the whole object:
//
//	var name string
//	var age int
//	err := json.Unmarshal(b, &weft.Record{weft.Label("name", &name), weft.Label("age", &age)})
//
// For writing, a member may be a value or a pointer to a variable; for reading, it must be a pointer. Members that
// the document does not have stay unchanged; those that the list does not have are skipped.
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

var errNoRecord = errors.New("a null is not a record")

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

// readTuple reads an array of n elements, each into the variable that at returns
// a pointer to.
func readTuple(d *Decoder, n int, at func(i int) any) error {
	a := d.Array()
	i := 0
	for a.Next() {
		if i < n {
			d.Value(at(i))
		} else {
			d.Skip()
		}
		i++
	}
	if err := a.End(); err != nil {
		return err
	}
	if i != n {
		return d.Fail(&ConstraintError{Rule: fmt.Sprintf("have %d elements", n), Value: strconv.Itoa(i)})
	}
	return nil
}

// writeTuple writes what the pointers point to as an array.
func writeTuple(e *Encoder, at ...any) error {
	a := e.Array(len(at))
	for _, p := range at {
		a.Next()
		e.Value(p)
	}
	return a.End()
}

// Tuple2 is two values that are an array on the wire.
type Tuple2[A, B any] struct {
	V1 A
	V2 B
}

// MarshalWeft implements Marshaler.
func (t Tuple2[A, B]) MarshalWeft(e *Encoder) error {
	return writeTuple(e, &t.V1, &t.V2)
}

// UnmarshalWeft implements Unmarshaler.
func (t *Tuple2[A, B]) UnmarshalWeft(d *Decoder) error {
	at := [...]any{&t.V1, &t.V2}
	return readTuple(d, len(at), func(i int) any { return at[i] })
}

// Tuple3 is three values that are an array on the wire.
type Tuple3[A, B, C any] struct {
	V1 A
	V2 B
	V3 C
}

// MarshalWeft implements Marshaler.
func (t Tuple3[A, B, C]) MarshalWeft(e *Encoder) error {
	return writeTuple(e, &t.V1, &t.V2, &t.V3)
}

// UnmarshalWeft implements Unmarshaler.
func (t *Tuple3[A, B, C]) UnmarshalWeft(d *Decoder) error {
	at := [...]any{&t.V1, &t.V2, &t.V3}
	return readTuple(d, len(at), func(i int) any { return at[i] })
}

// Tuple4 is four values that are an array on the wire.
type Tuple4[A, B, C, D any] struct {
	V1 A
	V2 B
	V3 C
	V4 D
}

// MarshalWeft implements Marshaler.
func (t Tuple4[A, B, C, D]) MarshalWeft(e *Encoder) error {
	return writeTuple(e, &t.V1, &t.V2, &t.V3, &t.V4)
}

// UnmarshalWeft implements Unmarshaler.
func (t *Tuple4[A, B, C, D]) UnmarshalWeft(d *Decoder) error {
	at := [...]any{&t.V1, &t.V2, &t.V3, &t.V4}
	return readTuple(d, len(at), func(i int) any { return at[i] })
}

// Tuple5 is five values that are an array on the wire.
type Tuple5[A, B, C, D, E any] struct {
	V1 A
	V2 B
	V3 C
	V4 D
	V5 E
}

// MarshalWeft implements Marshaler.
func (t Tuple5[A, B, C, D, E]) MarshalWeft(e *Encoder) error {
	return writeTuple(e, &t.V1, &t.V2, &t.V3, &t.V4, &t.V5)
}

// UnmarshalWeft implements Unmarshaler.
func (t *Tuple5[A, B, C, D, E]) UnmarshalWeft(d *Decoder) error {
	at := [...]any{&t.V1, &t.V2, &t.V3, &t.V4, &t.V5}
	return readTuple(d, len(at), func(i int) any { return at[i] })
}
