package value

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"

	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
)

// The operations below return a new value and leave v as it is. What they do not
// change the two share: only the lists and maps on the way to a change are copied,
// not what those hold. Where nothing changes they return v itself.

var (
	errNoMap   = errors.New("not a map")
	errNoList  = errors.New("not a list")
	errNoIndex = errors.New("index out of range")
)

// fault is err at the place that the steps lead to.
func fault(steps []step, err error) error {
	var p []byte
	for i := range steps {
		p = steps[i].append(p)
	}
	return &weft.Error{Format: "value", Offset: -1, Path: string(p), Err: err}
}

func (s *step) append(p []byte) []byte {
	if s.index < 0 {
		return wire.AppendPointer(p, s.name)
	}
	return strconv.AppendInt(append(p, '/'), int64(s.index), 10)
}

// With returns v with x at a path in the syntax of [Value.Lookup]. A missing member is added to its map; if a value
// on the path is null or missing, a map or a list is made; the index after the last one appends to a list. It is an
// error if the path leads into a value of another kind or beyond the end of a list.
func (v Value) With(path string, x Value) (Value, error) {
	steps, err := parsePath(path)
	if err != nil {
		return v, err
	}
	w, n, err := v.with(steps, x)
	if err != nil {
		return v, fault(steps[:len(steps)-n], err)
	}
	return w, nil
}

// with returns besides the new value how many steps were left at an error.
func (v Value) with(steps []step, x Value) (w Value, left int, err error) {
	if len(steps) == 0 {
		return x, 0, nil
	}
	s := steps[0]
	if s.index < 0 {
		if v.Kind() != KindMap && v.Kind() != KindNull {
			return v, len(steps), fmt.Errorf("a %v is %w", v.Kind(), errNoMap)
		}
		old, _ := v.Get(s.name)
		if w, left, err = old.with(steps[1:], x); err != nil {
			return v, left, err
		}
		return v.set(s.name, w), 0, nil
	}
	if v.Kind() != KindList && v.Kind() != KindNull {
		return v, len(steps), fmt.Errorf("a %v is %w", v.Kind(), errNoList)
	}
	if s.index > v.Len() {
		return v, len(steps) - 1, errNoIndex
	}
	if w, left, err = v.At(s.index).with(steps[1:], x); err != nil {
		return v, left, err
	}
	return v.setElem(s.index, w), 0, nil
}

// WithMember returns v with x as the member of that name: it replaces an existing member, or is added after the last
// one. A v that is not a map counts as an empty map.
func (v Value) WithMember(name string, x Value) Value {
	if v.Kind() != KindMap {
		v = Map()
	}
	return v.set(name, x)
}

// set returns the map v, or null, with the member.
func (v Value) set(name string, x Value) Value {
	var s *tree.Shape
	if v.Kind() == KindMap {
		s = v.shape()
	}
	i := s.Find(name, -1)
	if i < 0 {
		slots := make([]Value, 1, s.Len()+2)
		if s != nil {
			slots = append(slots, v.members()...)
		}
		return mapWith(s.With(name), append(slots, x))
	}
	old := v.members()
	if old[i].same(x) {
		return v
	}
	slots := newSlots(s)
	copy(slots[1:], old)
	slots[i+1] = x
	return mapOf(slots)
}

// setElem returns the list v, or null, with x as its i-th element, which may be one
// more than it has.
func (v Value) setElem(i int, x Value) Value {
	var old []Value
	if v.Kind() == KindList {
		old = v.elems()
	}
	if i < len(old) && old[i].same(x) {
		return v
	}
	elems := make([]Value, max(len(old), i+1))
	copy(elems, old)
	elems[i] = x
	return listOf(elems)
}

// Without returns v without the value at a path in the syntax of [Value.Lookup], or v itself if there is none. The
// elements of a list after a removed one move up. Removing the empty path returns null.
func (v Value) Without(path string) (Value, error) {
	steps, err := parsePath(path)
	if err != nil {
		return v, err
	}
	if len(steps) == 0 {
		return Value{}, nil
	}
	return v.without(steps), nil
}

func (v Value) without(steps []step) Value {
	s := steps[0]
	old, ok := v.into(s)
	switch {
	case !ok:
		return v
	case len(steps) > 1:
		x := old.without(steps[1:])
		if s.index < 0 {
			return v.set(s.name, x)
		}
		return v.setElem(s.index, x)
	case s.index < 0:
		return v.unset(v.shape().Find(s.name, -1))
	}
	return v.unsetElem(s.index)
}

// unset returns the map v without its i-th member.
func (v Value) unset(i int) Value {
	old := v.members()
	slots := append(make([]Value, 1, len(old)), old[:i]...)
	return mapWith(v.shape().Without(i), append(slots, old[i+1:]...))
}

func (v Value) unsetElem(i int) Value {
	old := v.elems()
	return listOf(append(append(make([]Value, 0, len(old)-1), old[:i]...), old[i+1:]...))
}

// Append returns the list v with more elements; null counts as an empty list.
func (v Value) Append(elems ...Value) (Value, error) {
	switch v.Kind() {
	case KindNull:
		return List(elems...), nil
	case KindList:
		return listOf(slices.Concat(v.elems(), elems)), nil
	}
	return v, fault(nil, fmt.Errorf("a %v is %w", v.Kind(), errNoList))
}
